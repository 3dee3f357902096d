package io.teff.rdma.ucx.call;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxVersion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: damaged bytes, unknown statuses and wrong versions never reach UCX. These tests need no library. */
final class EnvelopeTest {
    @Test
    void open_sealedBody_isTheBody() {
        for (int length : new int[] {0, 1, 300}) {
            byte[] body = new byte[length];
            Arrays.fill(body, (byte) 7);
            assertArrayEquals(body, Envelope.open(Envelope.Kind.KEY, Envelope.seal(Envelope.Kind.KEY, body)));
        }
    }

    @Test
    void open_anyFlippedBit_isRefused() {
        byte[] sealed = Envelope.seal(Envelope.Kind.ADDRESS, new byte[] {1, 2, 3});
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] damaged = sealed.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(IllegalArgumentException.class, () -> Envelope.open(Envelope.Kind.ADDRESS, damaged));
        }
    }

    @Test
    void open_anyOtherLength_isRefused() {
        byte[] sealed = Envelope.seal(Envelope.Kind.ADDRESS, new byte[] {1, 2, 3});
        for (int length = 0; length < sealed.length + 3; length++) {
            byte[] other = Arrays.copyOf(sealed, length);
            if (length != sealed.length) {
                assertThrows(IllegalArgumentException.class, () -> Envelope.open(Envelope.Kind.ADDRESS, other));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Envelope.open(Envelope.Kind.KEY, sealed));
        assertThrows(IllegalArgumentException.class,
            () -> Envelope.seal(Envelope.Kind.KEY, new byte[Envelope.BODY_SIZE_MAX + 1]));
    }

    @Test
    void of_everyCode_isItsStatus() {
        for (UcxStatus status : UcxStatus.values()) {
            assertEquals(status, UcxStatus.of(status.code()));
            assertEquals(status.code() < 0, status.isFailure());
            assertFalse(status.text().isBlank());
        }
        assertEquals(UcxStatus.UNKNOWN, UcxStatus.of(-42));
        assertEquals(UcxStatus.UNKNOWN, UcxStatus.of(1000));
        assertEquals("call: NO_MEMORY (no memory is left); hint",
            new UcxException("call", UcxStatus.NO_MEMORY, "hint").getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1, 12, false", "1, 13, true", "1, 20, true", "0, 99, false", "2, 0, false"})
    void check_version_isSupportedFrom113On(int major, int minor, boolean isSupported) {
        UcxVersion version = new UcxVersion(major, minor, 0);
        if (isSupported) {
            UcpLibrary.check(version);
        } else {
            String message = assertThrows(RdmaUnavailableException.class, () -> UcpLibrary.check(version))
                .getMessage();
            assertTrue(message.contains(version.toString()) && message.contains("1.13"), message);
        }
    }
}
