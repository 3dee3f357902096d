package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
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
            assertEquals("windowBytes=" + wrong + " is more than " + WINDOW_MAX,
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
        assertEquals("poolBytes=1048576 is less than the 1179648 of a send buffer of 1048576", refusal(builder::build));
        builder.poolBytes((1 << 20) + (1 << 17)).build();
        builder.poolBytes(1 << 20).ringBytes(1 << 19, 1 << 20).build();
    }
}
