package io.teff.test.bench.rdma;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A case of the measurement.
 *
 * @param pattern what is measured
 * @param bytes of an operation
 */
record RdmaCase(RdmaPattern pattern, int bytes) {
    /** The longest operation. */
    static final int BYTES_MAX = 1 << 20;

    /** Returns the cases of a pattern. */
    static List<RdmaCase> of(RdmaPattern pattern, List<Integer> bytes) {
        if (pattern.isFixed()) {
            return List.of(new RdmaCase(pattern, pattern.isAtomic() ? RdmaPattern.ATOMIC_BYTES : 0));
        }
        final List<RdmaCase> cases = new ArrayList<>();
        bytes.forEach(it -> cases.add(new RdmaCase(pattern, it)));
        return cases;
    }

    /** Returns the prefix of the names of its figures. */
    String prefix() {
        return String.format(Locale.ROOT, "%s %d B: ", pattern.id(), bytes);
    }

    /** Returns the names of its figures. */
    List<String> figures() {
        return pattern.columns().stream().map(column -> prefix() + column).toList();
    }

    String title() {
        return pattern == RdmaPattern.POLL ? pattern.title()
            : String.format(Locale.ROOT, "%,d B: %s", bytes, pattern.title());
    }
}
