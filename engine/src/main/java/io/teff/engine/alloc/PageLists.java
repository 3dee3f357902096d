package io.teff.engine.alloc;

import io.teff.engine.memory.Memory;

/**
 * The listed pages of each size class: pages with free slots from which no stripe allocates, linked through their
 * headers. Each list has a lock, held for a few links. A page's state decides which thread may change it, see {@link
 * PageControl}.
 */
final class PageLists {
    private final Memory memory;
    private final RunMap runs;
    /** First page of each class's list; element i is guarded by {@code locks[i]}. */
    private final long[] heads = new long[SizeClasses.COUNT];
    private final Object[] locks = new Object[SizeClasses.COUNT];

    PageLists(RunMap runs) {
        this.runs = runs;
        this.memory = runs.memory();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            locks[c] = new Object();
        }
    }

    /**
     * Takes a page with free slots off the list of its class; returns its address, in state ACTIVE and owned by the
     * caller, or 0.
     */
    long adopt(int sizeClass) {
        synchronized (locks[sizeClass]) {
            for (long page = heads[sizeClass]; page != 0; page = memory.getLong(page + PageLayout.NEXT)) {
                if (adoptInside(sizeClass, page)) {
                    return page;
                }
            }
        }
        return 0;
    }

    /** Takes a page off the list, if it is a listed page of the class; returns whether the caller owns it now. */
    boolean adopt(int sizeClass, long page) {
        synchronized (locks[sizeClass]) {
            long identity = PageLayout.identity(sizeClass);
            return runs.isSlotPage(page, at -> memory.getLong(at + PageLayout.IDENTITY) == identity)
                && adoptInside(sizeClass, page);
        }
    }

    private boolean adoptInside(int sizeClass, long page) {
        long control;
        long adopted;
        do {
            control = memory.getLongAcquire(page + PageLayout.CONTROL);
            adopted = PageControl.adopted(control);
        } while (adopted != PageControl.REFUSED && !memory.casLong(page + PageLayout.CONTROL, control, adopted));
        if (adopted == PageControl.REFUSED) {
            return false;
        }
        unlink(sizeClass, page);
        return true;
    }

    /** Lists a page in state LISTING, or releases the page if its last slot was freed meanwhile. */
    void list(int sizeClass, long page) {
        boolean gone;
        synchronized (locks[sizeClass]) {
            long control;
            long listed;
            do {
                control = memory.getLongAcquire(page + PageLayout.CONTROL);
                listed = PageControl.listed(control);
            } while (!memory.casLong(page + PageLayout.CONTROL, control, listed));
            gone = PageControl.state(listed) == PageControl.GONE;
            if (!gone) {
                link(sizeClass, page);
            }
        }
        if (gone) {
            release(sizeClass, page);
        }
    }

    /** Releases a listed page whose last slot was freed. */
    void takeOffAndRelease(int sizeClass, long page) {
        synchronized (locks[sizeClass]) {
            unlink(sizeClass, page);
        }
        release(sizeClass, page);
    }

    private void release(int sizeClass, long page) {
        memory.putLong(page + PageLayout.IDENTITY, 0);
        runs.release(page, SizeClasses.pageUnits(sizeClass));
    }

    /**
     * Links a page. The last freer can see LISTED and move the page to GONE, but the freer takes the class lock
     * afterwards: then the page is linked.
     */
    private void link(int sizeClass, long page) {
        long next = heads[sizeClass];
        memory.putLong(page + PageLayout.NEXT, next);
        memory.putLong(page + PageLayout.PREV, 0);
        if (next != 0) {
            memory.putLong(next + PageLayout.PREV, page);
        }
        heads[sizeClass] = page;
    }

    private void unlink(int sizeClass, long page) {
        long next = memory.getLong(page + PageLayout.NEXT);
        long prev = memory.getLong(page + PageLayout.PREV);
        if (next != 0) {
            memory.putLong(next + PageLayout.PREV, prev);
        }
        if (prev != 0) {
            memory.putLong(prev + PageLayout.NEXT, next);
        } else {
            heads[sizeClass] = next;
        }
    }

    /** Gives up a page that the caller owns; returns whether no slot of it is in use. */
    boolean letGo(int sizeClass, long page) {
        long control;
        long abandoned;
        do {
            control = memory.getLongAcquire(page + PageLayout.CONTROL);
            abandoned = PageControl.abandoned(control);
        } while (!memory.casLong(page + PageLayout.CONTROL, control, abandoned));
        list(sizeClass, page);
        return PageControl.used(abandoned) == 0;
    }

    /** Checks a list against a count of its pages. Nothing may change meanwhile. */
    void audit(int sizeClass, int expected) {
        synchronized (locks[sizeClass]) {
            int count = 0;
            long prev = 0;
            for (long page = heads[sizeClass]; page != 0; page = memory.getLong(page + PageLayout.NEXT)) {
                PageLayout.require(memory.getLong(page + PageLayout.PREV) == prev, page, "a wrong back link");
                PageLayout.require(++count <= expected, page, "a list that is too long");
                prev = page;
            }
            PageLayout.require(count == expected, prev,
                "listed pages that its list does not reach, class=" + sizeClass);
        }
    }
}
