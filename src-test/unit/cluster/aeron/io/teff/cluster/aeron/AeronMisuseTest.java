package io.teff.cluster.aeron;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a network refuses what the transport does not support, immediately and with a reason. */
final class AeronMisuseTest {
    private static final byte[] SECRET = "secret of this test".getBytes(US_ASCII);
    private static final RequestType<String, String> ECHO = RequestType.of(1, Codecs.STRING, Codecs.STRING);
    private static final long HOUR_NS = 3_600_000_000_000L;

    @Test
    void listen_withTlsAtAllAddresses_isRefused() throws NoSuchAlgorithmException {
        final NetworkConfig config = NetworkConfig.builder(1).tls(SSLContext.getDefault()).secret(SECRET)
            .listen("aeron:udp?endpoint=0.0.0.0:0").build();
        final IOException thrown = assertThrows(IOException.class, () -> Network.open(config));
        assertTrue(String.valueOf(thrown.getMessage()).contains("TLS is asked for"), thrown::toString);
    }

    /** Fails before the time allowed for a silent node has elapsed. */
    @ParameterizedTest
    @ValueSource(strings = {"aeron:tcp", "aeron:udp?endpoint=localhost", "aeron:ipc?stream=x"})
    void send_toAnInvalidAddress_isUnreachableAtOnce(String address) throws IOException {
        assertThrows(IOException.class, () -> Network.open(NetworkConfig.builder(9).listen(address).build()));
        try (Network one = Network.open(NetworkConfig.builder(1).addresses(_ -> address).reachNs(HOUR_NS).build())) {
            final NetworkException thrown = assertThrows(NetworkException.class, () -> one.call(7, ECHO, "x"));
            assertEquals(Reason.UNREACHABLE, thrown.reason());
            assertTrue(String.valueOf(thrown.getMessage()).contains(address), thrown::toString);
        }
    }
}
