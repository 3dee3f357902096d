package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a deadline holds wherever the time goes: in waits, between them, or in a codec.
 *
 * <p>Method: networks without threads, whose clock passes a second whenever it is read. The waits themselves are real,
 * and so short beside the deadlines that they do not count.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SendDeadlineTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final int BYTES_EACH = 1000;
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);

    private final StillNetworks still = new StillNetworks(SECOND);
    private int written;

    /** A codec that takes two minutes to write a value; none is read. */
    private final Codec<Long> slow = new Codec<>() {
        @Override
        public void write(Long value, Output out) {
            still.nowNs += 2 * MINUTE;
            written++;
            for (int i = 0; i < BYTES_EACH / Long.BYTES; i++) {
                out.putLong(value);
            }
        }

        @Override
        public Long read(Input in) {
            return in.getLong();
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    };

    @AfterEach
    void close() {
        still.whenAsked = () -> { };
        still.audit();
        still.close();
    }

    private Network full(NetworkConfig.Builder config) throws IOException {
        final Network one = still.open(config.sendTimeoutNs(MINUTE));
        while (one.offer(2, 0, BYTES, new byte[BYTES_EACH])) {
            continue;                                           // until there is no room
        }
        return one;
    }

    @Test
    void sendWithoutRoom_endsByTheClock() throws IOException {
        final Network one = full(still.config(1));
        still.whenAsked = () -> still.nowNs += SECOND;
        final long start = still.nowNs;
        assertEquals(Reason.TIMED_OUT,
            assertThrows(NetworkException.class, () -> one.send(2, BYTES, new byte[BYTES_EACH])).reason());
        assertTrue(still.nowNs - start >= MINUTE);
    }

    @Test
    void codecThatTakesLong_leavesNoTimeToWaitForRoom() throws IOException {
        final Network one = full(still.config(1));
        final RequestType<Long, Long> type = RequestType.of(2, slow, Codecs.LONG);
        assertEquals(Reason.TIMED_OUT,
            assertThrows(NetworkException.class, () -> one.request(2, type, 1L, MINUTE)).reason());
        assertEquals(1, written);
    }
}
