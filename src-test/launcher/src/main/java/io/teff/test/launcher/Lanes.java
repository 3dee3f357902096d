package io.teff.test.launcher;

import java.util.List;

/** The lanes of tests: each module's tests count for one, except tests of the lanes plain and system. */
final class Lanes {
    /** All lanes, in the order of the table. */
    static final List<String> ORDER = List.of("unit", "system", "plain", "rules", "cluster", "conformance",
        "tck", "nio-programs", "lincheck", "jcstress", "sim", "rdma", "soak", "crash", "bench");
    /** The unit tests that run again without native access. */
    static final String PLAIN = "plain";
    /** Tests with child processes, or with large amounts of data; they run inside the module they test. */
    static final String SYSTEM = "system";
    /** The benchmarks and their tests. */
    static final String BENCH = "bench";
    private static final String TESTS = "src-test/";

    private Lanes() {}

    /** Returns the lane of the module in a folder: a module of tests is a lane of its name, all others are unit. */
    static String ofModule(String folder) {
        String name = folder.startsWith(TESTS) ? folder.substring(TESTS.length()) : "unit";
        return ORDER.contains(name) ? name : "unit";
    }
}
