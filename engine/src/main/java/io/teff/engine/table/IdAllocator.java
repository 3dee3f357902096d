package io.teff.engine.table;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;

/**
 * Issues the indexes of the own table: removed ones first, oldest page first, then fresh ones.
 *
 * <p>A stripe has two stocks: a list of free indexes of one table page, taken at once from the queue of reusable pages,
 * and the fresh indexes of another page. Both are refilled under the allocator's lock, so threads meet there once per
 * 64 to 4,096 creates, for a moment: a new page is filled outside of the lock. A remove pushes its index onto its
 * page's list (one CAS on the page word); the push that makes 64 puts the page at the end of the queue. So reuse is
 * late, and consecutive creates get ids of one page.
 *
 * <p>A page with no chunk left goes back to the region ({@link #release}). The directory keeps one more than the
 * highest generation it had, so CIDs stay unique; its indexes become a gap, issued again like fresh ones.
 *
 * <p>An index in a stock, gap or list is FREE and nobody knows its next CID, so its entry belongs to whoever takes it:
 * a create publishes it by one release store, without its stripe.
 */
public final class IdAllocator {
    /** Result when no index can be issued: no memory for a table page, or all 2^40 indexes are used. */
    public static final long FULL = -1;

    private static final int QUEUE_CAPACITY_MIN = 64;

    /** Four longs, and room so that no other stripe's are in the same or the next cache line. */
    private static final int STOCK_LONGS = 32;
    private static final int LIST_PAGE = 16;
    private static final int LIST_HEAD = 17;
    private static final int FRESH_NEXT = 18;
    private static final int FRESH_END = 19;

    private final Table table;
    private final Memory memory;
    /** By allocation stripe, {@link #STOCK_LONGS} apart: what the stripe may issue; guarded by the stripe. */
    private final long[] stocks;
    /**
     * First index that was never issued, given or skipped; never goes back, as what is above was never used in any
     * generation. Guarded by this.
     */
    private long nextFresh = 1;
    /** Indexes of ranges that were issued and are not yet used; guarded by this. */
    private long rangesOut;
    /** Ranges below {@link #nextFresh} that are not issued: first index and end; guarded by this. */
    private final Gaps gaps = new Gaps();
    /** Ring of pages (by first index) to reuse, a page may be in it for nothing; guarded by this. */
    private long[] queue = new long[QUEUE_CAPACITY_MIN];
    private int queueFirst;
    private int queueCount;

    /**
     * Makes the allocator of an empty table.
     *
     * @param table the own table
     * @param memory the accessor
     * @param stripes number of allocation stripes
     */
    public IdAllocator(Table table, Memory memory, int stripes) {
        this.table = table;
        this.memory = memory;
        stocks = new long[stripes * STOCK_LONGS + LIST_PAGE];
    }

    // ---- issue ----

    /**
     * Issues one index; its entry is FREE, and its generation is the CID's.
     *
     * @param stripe number of an allocation stripe that the calling thread holds
     * @return the index, or {@link #FULL}
     */
    public long issue(int stripe) {
        int stock = stripe * STOCK_LONGS;
        if (stocks[stock + LIST_HEAD] != 0) {
            long index = stocks[stock + LIST_PAGE] + stocks[stock + LIST_HEAD] - 1;
            stocks[stock + LIST_HEAD] = EntryWord.link(memory.getLong(table.entry(index)));
            return index;
        }
        if (stocks[stock + FRESH_NEXT] < stocks[stock + FRESH_END]) {
            return stocks[stock + FRESH_NEXT]++;
        }
        return refill(stock) ? issue(stripe) : FULL;
    }

    /**
     * Issues consecutive fresh indexes of generation 0. Their pages may not exist: call {@link #makeEntry} for each,
     * and {@link #rangeDone} after.
     *
     * @param count at least 1
     * @return the first index, or {@link #FULL} if the index space ends
     */
    public synchronized long issueRange(long count) {
        long first = nextFresh;
        if (count > CidLayout.INDEX_MAX - first + 1) {
            return FULL;
        }
        nextFresh = first + count;
        rangesOut += count;
        return first;
    }

    /**
     * Says that a range is used: each of its indexes has a chunk, is reserved, or was taken back.
     *
     * @param count what was given to {@link #issueRange}
     */
    public synchronized void rangeDone(long count) {
        rangesOut -= count;
    }

    /**
     * Takes back the end of a range that was issued and not used.
     *
     * @param first first index to take back
     * @param end after the last
     */
    public synchronized void unissueRange(long first, long end) {
        gaps.add(first, end);
    }

    /**
     * Sets an index aside for a chunk whose CID is given. What is skipped becomes a gap.
     *
     * @param index any index
     * @param generation of the CID
     * @return true if the caller owns the index now, false if it is in use or the CID was issued before
     */
    public synchronized boolean claim(long index, int generation) {
        if (index < nextFresh) {
            return claimFromGap(index, generation);
        }
        gaps.add(nextFresh, index);
        nextFresh = index + 1;
        return true;
    }

    private boolean claimFromGap(long index, int generation) {
        int gap = gaps.find(index);
        if (gap < 0 || table.nextGeneration(index) > generation) {
            return false;
        }
        gaps.take(gap, index);
        return true;
    }

    /**
     * Takes back an index that was claimed and not used.
     *
     * @param index what was claimed
     */
    public synchronized void unclaim(long index) {
        gaps.add(index, index + 1);
    }

    private boolean refill(int stock) {
        long end;
        synchronized (this) {
            if (pollQueue(stock)) {
                return true;
            }
            end = takeFresh(stock);
        }
        if (end != FULL && fillFresh(stock, end)) {
            return true;
        }
        synchronized (this) {
            queueAll();
            return pollQueue(stock);
        }
    }

    private boolean pollQueue(int stock) {
        while (queueCount > 0) {
            long page = queue[queueFirst];
            queueFirst = (queueFirst + 1) % queue.length;
            queueCount--;
            long word = table.word(page);
            while (FreeWord.count(word) > 0 && !table.casWord(page, word, FreeWord.detached(word))) {
                word = table.word(page);
            }
            if (FreeWord.count(word) > 0) {
                stocks[stock + LIST_PAGE] = page;
                stocks[stock + LIST_HEAD] = FreeWord.head(word);
                return true;
            }
        }
        return false;
    }

    /** Takes what is left of one table page; its end, or FULL. The stock stays empty until the page exists. */
    private long takeFresh(int stock) {
        int gap = gaps.count() - 1;
        long first = gap < 0 ? nextFresh : gaps.first(gap);
        long end = Math.min(gap < 0 ? CidLayout.INDEX_MAX + 1 : gaps.end(gap), Table.nextPage(first));
        if (first >= end) {
            return FULL;
        }
        if (gap < 0) {
            nextFresh = end;
        } else {
            gaps.takeUntil(end);
        }
        stocks[stock + FRESH_NEXT] = first;
        stocks[stock + FRESH_END] = first;
        return end;
    }

    /** Makes the page, not under the lock because that touches new memory; if it cannot, the indexes become a gap. */
    private boolean fillFresh(int stock, long end) {
        long first = stocks[stock + FRESH_NEXT];
        boolean made = false;
        try {
            made = makePage(first);
        } finally {
            if (made) {
                stocks[stock + FRESH_END] = end;
            } else {
                addGap(first, end);
            }
        }
        return made;
    }

    private synchronized void addGap(long first, long end) {
        gaps.add(first, end);
    }

    /**
     * Finds the entry of an index that was issued or claimed, and makes its page if there is none.
     *
     * @param index the index
     * @return address of the entry, or {@link Table#NO_ENTRY} if there is no memory
     */
    public long makeEntry(long index) {
        long entry = table.entry(index);
        return entry != Table.NO_ENTRY ? entry : makePage(index) ? table.entry(index) : Table.NO_ENTRY;
    }

    private boolean makePage(long index) {
        return Table.firstOfPage(index) == 0 ? makeFirstPage() : table.makeEntry(index) != Table.NO_ENTRY;
    }

    /** Index 0 is never issued. */
    private synchronized boolean makeFirstPage() {
        boolean isNew = table.entry(0) == Table.NO_ENTRY;
        long entry = table.makeEntry(0);
        if (isNew && entry != Table.NO_ENTRY) {
            memory.putLongRelease(entry, EntryWord.retired());
            table.addToWord(0, FreeWord.died(0));
        }
        return entry != Table.NO_ENTRY;
    }

    /** Queues every page that has any free index: the last resort before FULL. */
    private void queueAll() {
        for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
            long word = table.word(page);
            while (FreeWord.count(word) > 0 && !FreeWord.queued(word)) {
                if (table.casWord(page, word, FreeWord.withQueued(word))) {
                    enqueue(page);
                }
                word = table.word(page);
            }
        }
    }

    // ---- take back ----

    /**
     * Takes an index back. The caller holds its stripe; the entry must not be touched afterwards.
     *
     * @param index what was issued
     * @param entry address of its entry
     * @param generation of the CID that ends now
     * @return true if no chunk of the page is left, so that {@link #release} is worth calling
     */
    public boolean free(long index, long entry, int generation) {
        long word;
        long after;
        if (generation == CidLayout.GENERATIONS - 1) {
            memory.putLongRelease(entry, EntryWord.retired());
            do {
                word = table.word(index);
                after = FreeWord.died(word);
            } while (!table.casWord(index, word, after));
        } else {
            do {
                word = table.word(index);
                memory.putLongRelease(entry, EntryWord.free(generation + 1, FreeWord.head(word)));
                after = FreeWord.pushed(word, Table.slotOf(index));
            } while (!table.casWord(index, word, after));
        }
        if (FreeWord.queued(after) && !FreeWord.queued(word)) {
            enqueueLocked(Table.firstOfPage(index));
        }
        return FreeWord.releasable(after);
    }

    private synchronized void enqueueLocked(long page) {
        enqueue(page);
    }

    private void enqueue(long page) {
        if (queueCount == queue.length) {
            long[] larger = new long[queue.length * 2];
            for (int i = 0; i < queueCount; i++) {
                larger[i] = queue[(queueFirst + i) % queue.length];
            }
            queue = larger;
            queueFirst = 0;
        }
        queue[(queueFirst + queueCount++) % queue.length] = page;
    }

    /**
     * Gives a page back to the region if no chunk of it is left. The caller holds the stripes of all its indexes.
     *
     * @param index any index of the page
     */
    public synchronized void release(long index) {
        if (table.entry(index) == Table.NO_ENTRY || !FreeWord.releasable(table.word(index))) {
            return;
        }
        long first = Table.firstOfPage(index);
        boolean dead = FreeWord.dead(table.word(index)) == FreeWord.SLOTS;
        int next = CidLayout.GENERATIONS;
        if (!dead) {
            next = 0;
            for (long at = first; at < first + FreeWord.SLOTS; at++) {
                next = Math.max(next, EntryWord.generation(memory.getLong(table.entry(at))));
            }
            gaps.add(first, first + FreeWord.SLOTS);
        }
        table.releasePage(first, next);
    }

    // ---- restore and audit ----

    /**
     * Rebuilds all stocks from the entries, after a restore: every FREE index below the end becomes a gap or a list
     * member.
     *
     * @param end first index that was never issued
     */
    public synchronized void rebuild(long end) {
        long at = 1;
        for (long page = table.nextKnown(0); page >= 0 && page < end; page = table.nextKnown(Table.nextPage(page))) {
            gaps.add(at, page);
            long pageEnd = Math.min(end, Table.nextPage(page));
            if (table.entry(page) != Table.NO_ENTRY) {
                rebuildPage(page, pageEnd);
            } else if (table.releasedGeneration(page) < CidLayout.GENERATIONS) {
                gaps.add(Math.max(page, 1), pageEnd);
            }
            at = pageEnd;
        }
        gaps.add(at, end);
        nextFresh = Math.max(end, 1);
    }

    private void rebuildPage(long first, long end) {
        for (long index = first; index < end; index++) {
            long entry = table.entry(index);
            long word = memory.getLong(entry);
            if (EntryWord.state(word) == EntryWord.RETIRED) {
                table.addToWord(index, FreeWord.died(0));
            } else if (EntryWord.state(word) == EntryWord.FREE) {
                long pageWord = table.word(index);
                memory.putLong(entry, EntryWord.free(EntryWord.generation(word), FreeWord.head(pageWord)));
                long pushed = FreeWord.pushed(pageWord, Table.slotOf(index));
                table.casWord(index, pageWord, pushed);
                if (FreeWord.queued(pushed) && !FreeWord.queued(pageWord)) {
                    enqueue(first);
                }
            }
        }
    }

    /** {@return the first index that was never issued; later ones have no chunk} */
    public synchronized long end() {
        return nextFresh;
    }

    /**
     * Walks all lists, stocks and gaps and checks that every FREE index is in exactly one. All allocation stripes must
     * be held and all stripes frozen.
     *
     * @throws StoreException naming the first index that is wrong
     */
    public synchronized void audit() {
        long free = 0;
        for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
            long word = table.word(page);
            int listed = auditList(page, FreeWord.head(word));
            int freeHere = 0;
            int dead = 0;
            long entry = table.entry(page);
            for (long end = Math.min(page + FreeWord.SLOTS, nextFresh), index = page; index < end; index++) {
                int state = EntryWord.state(memory.getLong(entry));
                freeHere += state == EntryWord.FREE ? 1 : 0;
                dead += state == EntryWord.RETIRED ? 1 : 0;
                entry += Long.BYTES;
            }
            require(listed == FreeWord.count(word) && dead == FreeWord.dead(word), page, "its list has " + listed
                + " indexes and it has " + dead + " dead ones, but it counts " + FreeWord.count(word) + " and "
                + FreeWord.dead(word));
            free += freeHere - listed;
        }
        long stocked = 0;
        for (int stock = 0; stock + STOCK_LONGS <= stocks.length; stock += STOCK_LONGS) {
            stocked += stocks[stock + FRESH_END] - stocks[stock + FRESH_NEXT]
                + auditList(stocks[stock + LIST_PAGE], (int) stocks[stock + LIST_HEAD]);
        }
        for (int gap = 0; gap < gaps.count(); gap++) {
            long end = gaps.end(gap);
            for (long at = table.nextMade(gaps.first(gap)); at >= 0 && at < end;
                 at = table.nextMade(Table.nextPage(at))) {
                stocked += Math.min(end, Table.nextPage(at)) - at;
            }
        }
        require(free >= stocked && free - stocked <= rangesOut, 0, "free=" + free + " indexes, but stocks and gaps "
            + "have " + stocked + ", and ranges " + rangesOut);
    }

    private int auditList(long page, int head) {
        long entry = table.entry(page);
        int count = 0;
        for (int slot = head; slot != 0; count++) {
            long word = memory.getLong(entry + (slot - 1) * (long) Long.BYTES);
            require(EntryWord.state(word) == EntryWord.FREE && count < FreeWord.SLOTS, page + slot - 1,
                "in a list but not free");
            slot = EntryWord.link(word);
        }
        return count;
    }

    private static void require(boolean right, long index, String what) {
        if (!right) {
            throw StoreException.fatal("ids: index=" + index + " is wrong: " + what);
        }
    }
}
