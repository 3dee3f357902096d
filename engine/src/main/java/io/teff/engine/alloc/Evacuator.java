package io.teff.engine.alloc;

import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Chooses the pages that a defragmentation empties, and releases them. A victim is in the state ACTIVE meanwhile. */
public final class Evacuator {
    private final Memory memory;
    private final RunMap runs;
    private final AllocStripes stripes;
    private final PageLists lists;
    /** The current evacuation, or null. */
    private volatile @Nullable Evacuation evacuation;

    Evacuator(RunMap runs, AllocStripes stripes, PageLists lists) {
        this.memory = runs.memory();
        this.runs = runs;
        this.stripes = stripes;
        this.lists = lists;
        runs.reclaimBy(this::releaseEmptyVictims);
    }

    /** Returns whether a page is a victim now. */
    boolean isVictim(long page) {
        Evacuation victims = evacuation;
        return victims != null && victims.contains(page);
    }

    /**
     * Chooses the sparsest listed pages of each class, as many as the free slots of the other listed pages of the
     * class can take in, and excludes them from allocation. One evacuation at a time; {@link #end} must follow.
     *
     * @param fillMax largest share of slots in use of a page that is worth emptying
     * @param rest called repeatedly while nothing is held but the victims
     * @return the victims
     */
    public Evacuation begin(double fillMax, Runnable rest) {
        @Nullable SparsePages[] sparse = findSparsePages();
        int[] counts = new int[SizeClasses.COUNT];
        int total = 0;
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            counts[c] = sparse[c] == null ? 0 : sparse[c].chooseVictims(fillMax);
            total += counts[c];
        }
        Evacuation victims = new Evacuation((long) runs.blockEnd() * RegionLayout.UNITS_PER_BLOCK, total);
        evacuation = victims;
        boolean begun = false;
        try {
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                for (int i = 0; i < counts[c]; i++) {
                    AllocStripe stripe = stripes.acquire();     // excludes audits and walks
                    try {
                        long page = Objects.requireNonNull(sparse[c]).page(i);
                        if (lists.adopt(c, page)) {             // its state may have changed since
                            victims.add(page, SizeClasses.pageUnits(c));
                        }
                    } finally {
                        stripes.release(stripe);
                    }
                    rest.run();
                }
            }
            begun = true;
            return victims;
        } finally {
            if (!begun) {
                end(victims, () -> { });
            }
        }
    }

    private @Nullable SparsePages[] findSparsePages() {
        @Nullable SparsePages[] sparse = new SparsePages[SizeClasses.COUNT];
        int blockEnd = runs.blockEnd();
        for (int block = RegionLayout.FIRST_BLOCK; block < blockEnd; block++) {
            runs.forEachSlotPage(block, page -> {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                long control = memory.getLongAcquire(page + PageLayout.CONTROL);
                if (sizeClass >= 0 && PageControl.state(control) == PageControl.LISTED) {
                    if (sparse[sizeClass] == null) {
                        sparse[sizeClass] = new SparsePages(PageLayout.capacity(sizeClass));
                    }
                    sparse[sizeClass].add(page, PageControl.used(control));
                }
            });
        }
        return sparse;
    }

    /**
     * Lists the victims again, or gives them back if they are empty.
     *
     * @param victims result of {@link #begin}
     * @param rest called repeatedly while nothing is held but the remaining victims
     * @return bytes of the pages that were given back
     */
    public long end(Evacuation victims, Runnable rest) {
        long bytes = 0;
        for (int i = 0; i < victims.size(); i++) {
            AllocStripe stripe = stripes.acquire();             // excludes audits and walks
            try {
                bytes += endVictim(victims, i);
            } finally {
                stripes.release(stripe);
            }
            rest.run();
        }
        evacuation = null;
        return bytes;
    }

    private long endVictim(Evacuation victims, int index) {
        long page = victims.page(index);
        if (page == 0) {
            return 0;
        }
        int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
        return victims.take(index, page, SizeClasses.pageUnits(sizeClass)) && lists.letGo(sizeClass, page)
            ? PageLayout.pageBytes(sizeClass) : 0;
    }

    /** Takes a victim of the class as the caller's active page: the last attempt before FULL. */
    long takeVictim(int sizeClass) {
        Evacuation victims = evacuation;
        for (int i = 0; victims != null && i < victims.size(); i++) {
            long page = victims.page(i);
            if (page != 0 && memory.getLong(page + PageLayout.IDENTITY) == PageLayout.identity(sizeClass)
                && victims.take(i, page, SizeClasses.pageUnits(sizeClass))) {
                return page;
            }
        }
        return RunMap.FULL;
    }

    /**
     * Gives back the victims of all classes that are empty already. The caller holds a stripe.
     *
     * @return whether a victim was given back
     */
    public boolean releaseEmptyVictims() {
        Evacuation victims = evacuation;
        boolean found = false;
        for (int i = 0; victims != null && i < victims.size(); i++) {
            long page = victims.page(i);
            if (page != 0) {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                if (sizeClass >= 0 && PageControl.used(memory.getLongAcquire(page + PageLayout.CONTROL)) == 0
                    && victims.take(i, page, SizeClasses.pageUnits(sizeClass))) {
                    found |= lists.letGo(sizeClass, page);
                }
            }
        }
        return found;
    }
}
