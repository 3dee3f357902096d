package io.teff.test.bench.durable;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Names of the figures that depend on the number of zones, and on the levels of the log. */
final class Zoned {
    /** Numbers of zones. */
    private static final int[] COUNTS = {1, 8, 64, 512};
    private static final int[] LEVELS = {1, 2};
    /** Figure of the memory per additional zone. */
    static final String MEMORY_PER_ZONE = "MB per zone";

    private Zoned() {}

    static IntStream counts() {
        return Arrays.stream(COUNTS);
    }

    static IntStream levels() {
        return Arrays.stream(LEVELS);
    }

    static String logged(int zones, int levels) {
        return zones + " M/s " + levels;
    }

    static String synced(int zones, int levels) {
        return zones + " sync " + levels;
    }

    static String memory(int zones) {
        return zones + " MB";
    }

    static String[] columns() {
        return Stream.concat(counts().boxed().flatMap(zones -> Stream.of(logged(zones, 1), logged(zones, 2),
            synced(zones, 1), synced(zones, 2), memory(zones))), Stream.of(MEMORY_PER_ZONE)).toArray(String[]::new);
    }
}
