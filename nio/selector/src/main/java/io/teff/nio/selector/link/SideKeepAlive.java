package io.teff.nio.selector.link;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;

/**
 * The options of side connections between machines. A machine that is gone is found within two minutes, and a firewall
 * between the machines sees a segment each minute.
 */
final class SideKeepAlive {
    /** By name, because a JVM may lack the module that has the options. */
    private static final Map<String, Integer> VALUES =
        Map.of("TCP_KEEPIDLE", 60, "TCP_KEEPINTERVAL", 10, "TCP_KEEPCOUNT", 6);

    private SideKeepAlive() {}

    static void set(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (SocketOption<?> option : channel.supportedOptions()) {
            final Integer value = VALUES.get(option.name());
            if (value != null) {
                set(channel, option, value);
            }
        }
    }

    private static <T> void set(SocketChannel channel, SocketOption<T> option, Integer value) throws IOException {
        channel.setOption(option, option.type().cast(value));
    }
}
