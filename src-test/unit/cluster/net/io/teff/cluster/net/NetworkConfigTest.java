package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: invalid configurations are refused with the values and their limits. */
final class NetworkConfigTest {
    private static final long WINDOW_MAX = 1L << 40;

    private static String refusal(Runnable configure) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, configure::run).getMessage());
    }

    @Test
    void windowBytes_hasLimits() {
        final NetworkConfig.Builder builder = NetworkConfig.builder(1);
        for (long wrong : new long[] {WINDOW_MAX + 1, Long.MAX_VALUE}) {
            assertEquals("windowBytes=" + wrong + " is more than " + WINDOW_MAX + " bytes",
                refusal(() -> builder.windowBytes(wrong)));
        }
        for (long wrong : new long[] {Long.MIN_VALUE, 0, (256 << 10) - 1}) {
            assertTrue(refusal(() -> builder.windowBytes(wrong)).contains("is less than"));
        }
        assertEquals(WINDOW_MAX, builder.windowBytes(WINDOW_MAX).build().windowBytes());
        assertEquals(256 << 10, builder.windowBytes(256 << 10).build().windowBytes());
    }

    @Test
    void sendBufferThatFitsNot_isRefused() {
        final NetworkConfig.Builder builder = NetworkConfig.builder(1).ringBytes(1 << 20, 1 << 20);
        builder.poolBytes(1 << 20);
        assertEquals("poolBytes=1048576 is less than the 1179648 bytes of a send buffer of ringBytes=1048576",
            refusal(builder::build));
        builder.poolBytes((1 << 20) + (1 << 17)).build();
        builder.poolBytes(1 << 20).ringBytes(1 << 19, 1 << 20).build();
    }

    @Test
    void values_areRefusedWithTheirUnit() {
        final NetworkConfig.Builder builder = NetworkConfig.builder(1);
        assertEquals("silenceNs=1 is less than 100000000 nanoseconds", refusal(() -> builder.silenceNs(1)));
        assertEquals("poolBytes=1 is less than 1048576 bytes", refusal(() -> builder.poolBytes(1)));
        assertEquals("linksMax=0 is less than 1", refusal(() -> builder.linksMax(0)));
        assertEquals("nid=-1 is not in 0 to 65534", refusal(() -> NetworkConfig.builder(-1)));
    }

    /** The secret is neither shared with the caller, nor shown. */
    @Test
    void secret_isCopiedAndNotShown() {
        final byte[] given = "sixteen bytes at".getBytes(StandardCharsets.US_ASCII);
        final NetworkConfig config = NetworkConfig.builder(1).listen("loop:a").secret(given).build();
        given[0] = 0;
        config.secret()[0] = 0;
        assertEquals('s', config.secret()[0]);
        assertEquals("NetworkConfig[nid 1, listens at [loop:a], 1 agents, a secret]", config.toString());
    }
}
