package io.teff.test.bench.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A case of the measurement.
 *
 * @param mode the pattern of senders and receivers
 * @param bytes of a message, as its sender has them
 * @param threads number of sending threads
 * @param links number of nodes that others send to, unless fixed by the mode
 */
record NetCase(NetMode mode, int bytes, int threads, int links) {
    /** Offset of the asker's number in a request, for transports that do not identify the asker. */
    static final int BYTES_MIN = 16;

    /** Connections of {@link NetMode#IDLE}. */
    static final int IDLE_LINKS = 1000;

    /** Returns all cases with these numbers: each is varied alone, with the first of the others. */
    static List<NetCase> all(List<NetMode> modes, List<Integer> bytes, List<Integer> threads, List<Integer> links) {
        List<NetCase> all = new ArrayList<>();
        for (NetMode mode : modes) {
            if (mode == NetMode.IDLE) {
                all.add(new NetCase(mode, bytes.getFirst(), 1, IDLE_LINKS));
            } else if (mode.isFixed()) {
                all.add(new NetCase(mode, bytes.getFirst(), mode.nodes(1), mode.nodes(1)));
            } else {
                bytes.forEach(it -> all.add(new NetCase(mode, it, threads.getFirst(), links.getFirst())));
                threads.stream().skip(1)
                    .forEach(it -> all.add(new NetCase(mode, bytes.getFirst(), it, links.getFirst())));
                links.stream().skip(1)
                    .forEach(it -> all.add(new NetCase(mode, bytes.getFirst(), threads.getFirst(), it)));
            }
        }
        return all;
    }

    /** Returns the prefix of the names of its figures. */
    String prefix() {
        return String.format(Locale.ROOT, "%s %d B %d %d: ", mode.id(), bytes, threads, links);
    }

    /** Returns the names of its figures. */
    List<String> figures() {
        return mode.columns().stream().map(column -> prefix() + column).toList();
    }

    String title() {
        return mode == NetMode.IDLE ? String.format(Locale.ROOT, "%,d %s", links, mode.title())
            : String.format(Locale.ROOT, "%d B, %s, %s: %s", bytes, count(threads, "thread"), count(links, "link"),
                mode.title());
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    int nodes() {
        return mode.nodes(links);
    }

    /** Returns the nodes that one node sends to. */
    int[] targets(int from) {
        return IntStream.range(0, nodes()).filter(node -> node != from && (from == 0 || mode.isFixed())).toArray();
    }
}
