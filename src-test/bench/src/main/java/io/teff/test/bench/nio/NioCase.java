package io.teff.test.bench.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A case of the comparison.
 *
 * @param mode the pattern
 * @param bytes of a message
 * @param connections their number
 */
record NioCase(NioMode mode, int bytes, int connections) {
    /** Returns all cases with these numbers: connections are varied for Netty alone. */
    static List<NioCase> all(List<NioMode> modes, List<Integer> bytes, List<Integer> connections, int idle) {
        final List<NioCase> all = new ArrayList<>();
        for (NioMode mode : modes) {
            if (mode == NioMode.IDLE) {
                all.add(new NioCase(mode, 1, idle));
            } else {
                for (int length : bytes) {
                    (mode.isNetty() ? connections : List.of(1)).forEach(it -> all.add(new NioCase(mode, length, it)));
                }
            }
        }
        return all;
    }

    /** Returns the prefix of the names of its figures. */
    String prefix() {
        return String.format(Locale.ROOT, "%s %d B %d: ", mode.id(), bytes, connections);
    }

    /** Returns the names of its figures. */
    List<String> figures() {
        return mode.columns().stream().map(column -> prefix() + column).toList();
    }

    String title() {
        return mode == NioMode.IDLE ? String.format(Locale.ROOT, "%,d %s", connections, mode.title())
            : String.format(Locale.ROOT, "%,d B, %,d connection%s: %s", bytes, connections, connections == 1 ? "" : "s",
                mode.title());
    }
}
