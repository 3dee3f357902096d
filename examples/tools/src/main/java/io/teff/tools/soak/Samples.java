package io.teff.tools.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * The samples of a run, in bounded memory however long it runs: when {@value #COUNT_MAX} are there, every second one is
 * dropped, and from then on only every second, fourth, ... cycle is kept. So they are always evenly spread over the
 * run, and a test for leaks does not leak itself.
 *
 * <p>For one thread.
 */
final class Samples {
    /** Most samples that are kept; a run of two minutes keeps all of its own. */
    static final int COUNT_MAX = 1 << 10;

    private final List<Sample> kept = new ArrayList<>(COUNT_MAX);
    private int stride = 1;
    private long added;

    /** Takes the next cycle's sample. */
    void add(Sample sample) {
        if (added++ % stride != 0) {
            return;
        }
        if (kept.size() == COUNT_MAX) {
            List<Sample> half = new ArrayList<>();
            for (int i = 0; i < COUNT_MAX; i += 2) {
                half.add(kept.get(i));
            }
            kept.clear();
            kept.addAll(half);
            stride *= 2;
        }
        kept.add(sample);
    }

    /** {@return what was kept, oldest first} */
    List<Sample> list() {
        return List.copyOf(kept);
    }

    /** {@return how many cycles gave a sample} */
    long added() {
        return added;
    }
}
