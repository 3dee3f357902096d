package io.teff.tools.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * The samples of a run in bounded memory: when {@value #COUNT_MAX} samples are kept, every second one is dropped, and
 * from then on only every second, fourth, ... cycle is kept. Samples are therefore evenly spread over a run of any
 * length.
 *
 * <p>For one thread.
 */
final class Samples {
    /** Maximum number of kept samples; a run of two minutes has fewer. */
    static final int COUNT_MAX = 1 << 10;

    private final List<Sample> kept = new ArrayList<>(COUNT_MAX);
    private int stride = 1;
    private long added;

    /** Adds the sample of the next cycle. */
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

    /** {@return the kept samples, oldest first} */
    List<Sample> list() {
        return List.copyOf(kept);
    }

    /** {@return the number of samples added} */
    long added() {
        return added;
    }
}
