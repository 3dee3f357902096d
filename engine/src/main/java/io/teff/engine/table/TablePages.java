package io.teff.engine.table;

import io.teff.engine.memory.Words;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of table pages of a store, and an epoch for readers that remember where pages are: while the epoch is the
 * same, no page has ceased to be where it was. The epoch is off the heap where the JDK does not check native memory.
 *
 * <p><b>Order.</b> A page ceases to be found, then the epoch advances, then the memory of the page is given away. The
 * first and the last step are separated by the stripes of the chunks of the page: a reader has read an entry if the
 * stripe is unchanged, and if the epoch between both looks at the stripe is the epoch of the page's look-up.
 *
 * <p>Thread-safe.
 */
public final class TablePages {
    private static final int EPOCH = 0;

    private final AtomicLong count = new AtomicLong();
    private final Words words = new Words(EPOCH + 1);
    private final long epochPlace = Words.place(words.start(), EPOCH);

    /** Creates the counter of a store without pages, in epoch 0. */
    TablePages() {}

    /** Counts a new page. */
    void made() {
        count.getAndIncrement();
    }

    /** Counts a page that is found no more. */
    void released() {
        count.getAndDecrement();
        endEpoch();
    }

    /** Ends the epoch: pages are found no more. Before their memory is given away. */
    void endEpoch() {
        long epoch;
        do {
            epoch = epoch();
        } while (!words.cas(epochPlace, epoch, epoch + 1));
    }

    /** {@return the number of pages} */
    long count() {
        return count.get();
    }

    /** {@return the epoch; later reads do not move before this one} */
    public long epoch() {
        return Words.getThenFence(words, epochPlace);
    }

    /** {@return the words, of which the first is the epoch} */
    public Words words() {
        return words;
    }
}
