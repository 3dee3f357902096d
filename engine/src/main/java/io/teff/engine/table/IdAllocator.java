package io.teff.engine.table;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Issues the indexes of the store's own table: first removed indexes, oldest page first, then indexes of pages that do
 * not exist yet.
 *
 * <p>An unused index is in exactly one place. If its table page exists, that is the page's <b>list</b>, a stripe's
 * <b>stock</b>, or a range or group that an operation works on. If not, the page is <b>taken</b> (a stripe or a range
 * is about to create it) or a <b>gap</b>: skipped by a given CID, or released. So the table's directory itself records
 * the gaps.
 *
 * <p>A stripe's stock consists of the list of one page, taken as a whole from the queue of reusable pages, and a part
 * of another page, which was fresh: all of it, or a <b>grant</b>. What a grant leaves of a fresh page is <b>shared</b>,
 * for the next grants; so a zone with few chunks has one page, however many stripes there are. A stock is refilled
 * under the allocator's lock, so threads contend there once per 64 to 4,096 creates, and briefly: a new page is filled
 * outside the lock. A remove pushes its index onto its page's list (one CAS on the page word). The push that makes 64
 * appends the page to the queue. So reuse is late, and consecutive creates get ids of one page. Indexes removed in a
 * journal group are returned only when the group is logged; otherwise the log could contain the next chunk of an index
 * but not the removal of the previous one.
 *
 * <p>A page without chunks is released to the region ({@link #release}). The directory keeps one more than the highest
 * generation of the page, so CIDs stay unique. A page of which a stock has indexes stays, until {@link #returnStocks}.
 *
 * <p>An index in a stock, list or range is FREE and no thread knows its next CID, so its entry belongs to the thread
 * that takes the index: a create publishes the entry by one release store, without entering its stripe.
 */
public final class IdAllocator {
    /** Result when no index can be issued: no memory for a table page, or all 2^40 indexes are used. */
    public static final long FULL = -1;
    /** Result of {@link #claim} when the index is in use, or the CID was issued before. */
    public static final long TAKEN = -2;

    private static final int QUEUE_CAPACITY_MIN = 64;

    /** Seven longs, and padding so that no other stripe's longs are in the same or the next cache line. */
    private static final int STOCK_LONGS = 32;
    private static final int LIST_PAGE = 16;
    private static final int LIST_HEAD = 17;
    private static final int FRESH_NEXT = 18;
    private static final int FRESH_END = 19;
    private static final int CREATED_CHUNKS = 20;
    private static final int CREATED_PAYLOAD = 21;
    private static final int CREATED_TAKEN = 22;

    private final Table table;
    private final Memory memory;
    /**
     * For each allocation stripe, {@link #STOCK_LONGS} apart, the indexes that the stripe may issue, and counters;
     * guarded by the stripe.
     */
    private final long[] stocks;
    /** Indexes of a fresh page that a stripe gets at once. */
    private final int grant;
    /** Whether the zone is the store's own. */
    private final boolean isOwn;
    /** The shared rest of a fresh page; guarded by this. */
    private long sharedNext;
    private long sharedEnd;
    /** First index of the pages that were never used; never decreases. Guarded by this. */
    private long unusedFirst;
    /** No page before this index is a gap. Guarded by this. */
    private long gapsFirst;
    /** Pages that lost their last chunk at a place where a page cannot be released; guarded by this. */
    private final ArrayDeque<Long> emptied = new ArrayDeque<>();
    /** Number of indexes in ranges that operations work on; guarded by this. */
    private long rangesOut;
    /**
     * Number of indexes in use by creates outside of an allocation stripe, plus indexes of removed chunks to be
     * returned later.
     */
    private final AtomicLong singlesOut = new AtomicLong();
    /** Ring of reusable pages (by first index), which may contain pages without free indexes; guarded by this. */
    private long[] queue = new long[QUEUE_CAPACITY_MIN];
    private int queueFirst;
    private int queueCount;

    /**
     * Creates the allocator of an empty table.
     *
     * @param table the store's own table
     * @param memory accessor of the region
     * @param stripes number of allocation stripes
     * @param grant indexes of a fresh page that a stripe gets at once, at most a whole page
     * @param isOwn whether the zone is the store's own
     */
    IdAllocator(Table table, Memory memory, int stripes, int grant, boolean isOwn) {
        this.grant = grant;
        this.isOwn = isOwn;
        this.table = table;
        this.memory = memory;
        stocks = new long[stripes * STOCK_LONGS + LIST_PAGE];
    }

    // ---- issue ----

    /**
     * Issues one index. Its entry is FREE and contains the generation of the new CID.
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
     * Issues an index to an operation. After leaving the allocation stripe, the operation publishes the entry or
     * returns the index, and then calls {@link #endSingle}.
     *
     * @param stripe number of an allocation stripe that the calling thread holds
     * @return the index, or {@link #FULL}
     */
    public long issueSingle(int stripe) {
        long index = issue(stripe);
        if (index != FULL) {
            singlesOut.incrementAndGet();
        }
        return index;
    }

    /** Ends the work on an index of {@link #issueSingle}: it has a chunk, or was returned. */
    public void endSingle() {
        singlesOut.decrementAndGet();
    }

    /**
     * Issues consecutive indexes of one generation. Their pages may not exist: the caller calls {@link
     * Table#makeEntry} for each index, and {@link #endRange} at the end.
     *
     * @param stripe number of an allocation stripe that the calling thread holds
     * @param count at least 1
     * @return the first index, or {@link #FULL}
     */
    public synchronized long issueRange(int stripe, long count) {
        int stock = stripe * STOCK_LONGS;
        long next = stocks[stock + FRESH_NEXT];
        long end = stocks[stock + FRESH_END];
        if (count > end - next && !takeShared(stock, count) && !extendFresh(stock, count)) {
            return FULL;
        }
        long first = stocks[stock + FRESH_NEXT];
        stocks[stock + FRESH_NEXT] += count;
        rangesOut += count;
        return first;
    }

    /**
     * Gives a stock at least {@code count} of the shared indexes: adds the shared indexes to the stock's fresh part if
     * they follow the fresh part, else returns the fresh part first.
     */
    private boolean takeShared(int stock, long count) {
        long next = stocks[stock + FRESH_NEXT];
        boolean joins = stocks[stock + FRESH_END] == sharedNext;
        long first = joins ? next : sharedNext;
        if (sharedNext == sharedEnd || sharedEnd - first < count) {
            return false;
        }
        if (!joins) {
            giveBack(next, stocks[stock + FRESH_END]);
        }
        sharedNext = Math.min(Math.max(first + count, sharedNext + grant), sharedEnd);
        stocks[stock + FRESH_NEXT] = first;
        stocks[stock + FRESH_END] = sharedNext;
        return true;
    }

    /**
     * Extends the fresh part of a stock to {@code count} indexes: from gaps of one generation, at the end of all
     * pages, or, if no space is left there, from any gaps.
     */
    private boolean extendFresh(int stock, long count) {
        long next = stocks[stock + FRESH_NEXT];
        long end = stocks[stock + FRESH_END];
        boolean joins = next < end && end == unusedFirst
            && EntryWord.generation(memory.getLong(table.entry(next))) == 0;
        long first = joins ? next : Math.max(unusedFirst, 1);
        long firstPage = table.nextGaps(gapsFirst, unusedFirst, count, true);
        if (firstPage < 0) {
            firstPage = count <= CidLayout.INDEX_MAX + 1 - first ? unusedFirst
                : table.nextGaps(gapsFirst, unusedFirst, count, false);
        }
        return firstPage >= 0
            && takeFresh(stock, firstPage == unusedFirst ? first : Math.max(firstPage, 1), firstPage, count);
    }

    /**
     * Takes the pages of a range, of which only the last one is created; the previous fresh part of the stock is
     * returned.
     */
    private boolean takeFresh(int stock, long first, long firstPage, long count) {
        long end = Table.nextPage(first + count - 1);
        boolean made = false;
        try {
            table.takePages(firstPage, end);
            made = table.makeEntry(end - 1) != Table.NO_ENTRY;
        } finally {
            if (!made) {
                table.untakePages(firstPage, end);
            }
        }
        if (made) {
            unusedFirst = Math.max(unusedFirst, end);
            if (first != stocks[stock + FRESH_NEXT]) {
                giveBack(stocks[stock + FRESH_NEXT], stocks[stock + FRESH_END]);
            }
            stocks[stock + FRESH_NEXT] = first;
            stocks[stock + FRESH_END] = end;
        }
        return made;
    }

    /**
     * Ends the work on a range: each of its indexes has a chunk, is reserved, or is returned here. The caller holds an
     * allocation stripe.
     *
     * @param count count passed to {@link #issueRange}
     * @param from first unused index
     * @param end end of the range
     */
    public synchronized void endRange(long count, long from, long end) {
        rangesOut -= count;
        giveBack(from, end);
    }

    /** Returns indexes: those of existing pages to the pages' lists; whole pages that do not exist become gaps. */
    private void giveBack(long first, long end) {
        for (long at = first; at < end; ) {
            long partEnd = Math.min(end, Table.nextPage(at));
            if (table.entry(at) != Table.NO_ENTRY) {
                pushAll(at, partEnd);
            } else {
                long page = Table.firstOfPage(at);
                table.untakePages(page, Table.nextPage(at));
                gapsFirst = Math.min(gapsFirst, page);
            }
            at = partEnd;
        }
    }

    /**
     * Takes the index of a given CID for a chunk, and creates its page if it does not exist.
     *
     * @param index any index; 0 only in a zone beside the store's own
     * @param generation generation of the CID
     * @return address of the entry, which then belongs to the caller; {@link #TAKEN} or {@link #FULL}
     */
    public synchronized long claim(long index, int generation) {
        long page = Table.firstOfPage(index);
        if (index == 0 && (table.entry(0) != Table.NO_ENTRY || !table.isGap(0))) {
            return claimFirst(generation);
        }
        if (table.entry(index) == Table.NO_ENTRY) {
            if (page < unusedFirst && !table.isGap(page) || table.releasedGeneration(page) > generation) {
                return TAKEN;
            }
            if (table.makeEntry(index) == Table.NO_ENTRY) {
                return FULL;
            }
            unusedFirst = Math.max(unusedFirst, Table.nextPage(index));
            pushAll(index + 1, Table.nextPage(index));
            pushAll(Math.max(page, 1), index);
            return table.entry(index);
        }
        long word = memory.getLongAcquire(table.entry(index));
        boolean free = EntryWord.state(word) == EntryWord.FREE && EntryWord.generation(word) <= generation;
        return free && unlink(page, Table.slotOf(index) + 1) ? table.entry(index) : TAKEN;
    }

    /** Takes index 0, if its page exists or a stripe is about to create the page. Index 0 is in no list. */
    private long claimFirst(int generation) {
        long entry = table.makeEntry(0);
        if (entry == Table.NO_ENTRY) {
            return FULL;
        }
        long word = memory.getLongAcquire(entry);
        return EntryWord.state(word) == EntryWord.FREE && EntryWord.generation(word) <= generation ? entry : TAKEN;
    }

    /**
     * Removes one index from its page's list. Other threads may push at the head meanwhile; no other thread removes.
     *
     * @return false if the index is not in the list
     */
    private boolean unlink(long page, int slot) {
        long word = table.word(page);
        while (FreeWord.head(word) == slot) {
            if (table.casWord(page, word, FreeWord.taken(word, link(page, slot)))) {
                return true;
            }
            word = table.word(page);
        }
        int before = FreeWord.head(word);
        while (before != 0 && link(page, before) != slot) {
            before = link(page, before);
        }
        if (before == 0) {
            return false;
        }
        setLink(page + before - 1, link(page, slot));
        while (!table.casWord(page, word, FreeWord.taken(word, FreeWord.head(word)))) {
            word = table.word(page);
        }
        return true;
    }

    private int link(long page, int slot) {
        return EntryWord.link(memory.getLong(table.entry(page + slot - 1)));
    }

    private void setLink(long index, int link) {
        long entry = table.entry(index);
        memory.putLongRelease(entry, EntryWord.free(EntryWord.generation(memory.getLong(entry)), link));
    }

    /** Pushes FREE indexes of one page onto its list, in ascending order. The caller holds the lock. */
    private void pushAll(long first, long end) {
        if (first >= end) {
            return;
        }
        for (long index = first; index < end - 1; index++) {
            setLink(index, Table.slotOf(index + 1) + 1);
        }
        long word;
        long after;
        do {
            word = table.word(first);
            setLink(end - 1, FreeWord.head(word));
            after = FreeWord.pushed(word, Table.slotOf(first), (int) (end - first));
        } while (!table.casWord(first, word, after));
        if (FreeWord.queued(after) && !FreeWord.queued(word)) {
            enqueue(Table.firstOfPage(first));
        }
        if (isReleasable(first, after)) {
            emptied.add(Table.firstOfPage(first));
        }
    }

    private boolean refill(int stock) {
        long page;
        synchronized (this) {
            if (pollQueue(stock) || takeShared(stock, 1)) {
                return true;
            }
            page = takePage();
        }
        if (page != FULL && fillFresh(stock, page)) {
            return true;
        }
        synchronized (this) {
            queueAll();
            return pollQueue(stock);
        }
    }

    /** Takes a gap, or else the first page that was never used. */
    private long takePage() {
        long page = table.nextGaps(gapsFirst, unusedFirst, 1, true);
        if (page < 0) {
            page = unusedFirst;
            if (page > CidLayout.INDEX_MAX) {
                return FULL;
            }
            unusedFirst = Table.nextPage(page);
        }
        table.takePages(page, Table.nextPage(page));
        gapsFirst = Table.nextPage(page);
        return page;
    }

    /**
     * Creates the page outside the lock, because that touches new memory; if there is none, the page becomes a gap.
     */
    private boolean fillFresh(int stock, long page) {
        boolean made = false;
        try {
            made = table.makeEntry(page) != Table.NO_ENTRY;
        } finally {
            if (!made) {
                makeGap(page);
            }
        }
        if (made) {
            long first = Math.max(page, 1);
            stocks[stock + FRESH_NEXT] = first;
            stocks[stock + FRESH_END] = grant == Table.PAGE_ENTRIES ? Table.nextPage(page)
                : share(first + grant, Table.nextPage(page));
        }
        return made;
    }

    /** Shares indexes if none are shared yet; returns the end of those that stay with the stock. */
    private synchronized long share(long first, long end) {
        if (sharedNext < sharedEnd) {
            return end;
        }
        sharedNext = first;
        sharedEnd = end;
        return first;
    }

    private synchronized void makeGap(long page) {
        giveBack(page, Table.nextPage(page));
    }

    private boolean pollQueue(int stock) {
        while (queueCount > 0) {
            long page = queue[queueFirst];
            queueFirst = (queueFirst + 1) % queue.length;
            queueCount--;
            long word = table.word(page);
            while (!table.casWord(page, word, FreeWord.detached(word))) {
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

    /** Queues every page that has any free index: the last attempt before FULL. */
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
     * Returns an index. The caller is inside its stripe, and must not touch the entry afterwards.
     *
     * @param index an issued index
     * @param entry address of its entry
     * @param generation generation of the CID that ends
     * @return whether the page has no chunk left, so that {@link #release} is worth calling
     */
    public boolean free(long index, long entry, int generation) {
        if (index == 0) {
            memory.putLongRelease(entry, EntryWord.free(generation, 0));    // a known CID, which may come back
            return false;
        }
        if (!isReusable(generation)) {
            long word;
            long after;
            memory.putLongRelease(entry, EntryWord.retired());
            do {
                word = table.word(index);
                after = FreeWord.died(word);
            } while (!table.casWord(index, word, after));
            return isReleasable(index, after);
        }
        return push(index, entry, generation + 1);
    }

    /** Pushes an index onto its page's list; returns whether the page has no chunk left. */
    private boolean push(long index, long entry, int generation) {
        long word;
        long after;
        do {
            word = table.word(index);
            memory.putLongRelease(entry, EntryWord.free(generation, FreeWord.head(word)));
            after = FreeWord.pushed(word, Table.slotOf(index), 1);
        } while (!table.casWord(index, word, after));
        if (FreeWord.queued(after) && !FreeWord.queued(word)) {
            enqueueLocked(Table.firstOfPage(index));
        }
        return isReleasable(index, after);
    }

    /**
     * Returns whether no index of a page is in use or in a stock. The index 0 is in no list: in the store's own zone no
     * chunk has this index; in other zones the index belongs to the names, and its page stays.
     */
    private boolean isReleasable(long index, long word) {
        return FreeWord.releasable(word, isOwn && index < FreeWord.SLOTS ? FreeWord.SLOTS - 1 : FreeWord.SLOTS);
    }

    /**
     * Ends a CID, but keeps its index from being issued until {@link #giveBack(long)}. If {@link #isReusable} is
     * false, the index is retired instead.
     *
     * @param index an issued index
     * @param entry address of its entry
     * @param generation generation of the CID that ends
     * @return result as of {@link #free}
     */
    public boolean freeLater(long index, long entry, int generation) {
        if (index == 0 || !isReusable(generation)) {
            return free(index, entry, generation);
        }
        singlesOut.incrementAndGet();
        memory.putLongRelease(entry, EntryWord.free(generation + 1, 0));
        return false;
    }

    /**
     * Returns whether an index is ever used again.
     *
     * @param generation generation of the CID that ends
     * @return false if it was the last generation
     */
    public static boolean isReusable(int generation) {
        return generation < CidLayout.GENERATIONS - 1;
    }

    /**
     * Returns an index that {@link #freeLater} has kept.
     *
     * @param index index to return
     * @return result as of {@link #free}
     */
    public boolean giveBack(long index) {
        if (index == 0) {
            return false;
        }
        long entry = table.entry(index);
        boolean isEmpty = push(index, entry, EntryWord.generation(memory.getLong(entry)));
        singlesOut.decrementAndGet();
        return isEmpty;
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
     * Returns the indexes that stripes have set aside, so that pages without a chunk can be released. All allocation
     * stripes must be held.
     */
    public synchronized void returnStocks() {
        giveBack(sharedNext, sharedEnd);
        sharedNext = sharedEnd;
        for (int stock = 0; stock + STOCK_LONGS <= stocks.length; stock += STOCK_LONGS) {
            giveBack(stocks[stock + FRESH_NEXT], stocks[stock + FRESH_END]);
            stocks[stock + FRESH_NEXT] = stocks[stock + FRESH_END];
            long page = stocks[stock + LIST_PAGE];
            int slot = (int) stocks[stock + LIST_HEAD];
            stocks[stock + LIST_HEAD] = 0;
            while (slot != 0) {
                int next = link(page, slot);
                pushAll(page + slot - 1, page + slot);
                slot = next;
            }
        }
    }

    /** {@return whether {@link #releaseEmptied} has pages to release} */
    public synchronized boolean hasEmptied() {
        return !emptied.isEmpty();
    }

    /** Releases pages that ranges left without a chunk. The caller holds all stripes. */
    public synchronized void releaseEmptied() {
        for (Long page = emptied.poll(); page != null; page = emptied.poll()) {
            release(page);
        }
    }

    /**
     * Releases a page to the region if it has no chunk left. The caller is inside the stripes of all its indexes.
     *
     * @param index any index of the page
     */
    public synchronized void release(long index) {
        if (table.entry(index) == Table.NO_ENTRY || !isReleasable(index, table.word(index))) {
            return;
        }
        long first = Table.firstOfPage(index);
        int next = 0;
        for (long at = first; at < first + FreeWord.SLOTS; at++) {
            long word = memory.getLong(table.entry(at));
            next = Math.max(next, EntryWord.state(word) == EntryWord.RETIRED ? CidLayout.GENERATIONS
                : EntryWord.generation(word));
        }
        table.releasePage(first, next, FreeWord.released(table.word(first)));
        gapsFirst = Math.min(gapsFirst, first);
    }

    // ---- counters of the zone ----

    /** Counts a created chunk in an allocation stripe that the calling thread holds. */
    void count(int stripe, long payloadBytes, long takenBytes) {
        int stock = stripe * STOCK_LONGS;
        stocks[stock + CREATED_CHUNKS]++;
        stocks[stock + CREATED_PAYLOAD] += payloadBytes;
        stocks[stock + CREATED_TAKEN] += takenBytes;
    }

    /** Returns the number of counted chunks; approximate unless all stripes are held, as the sums below. */
    long createdChunks() {
        return sum(CREATED_CHUNKS);
    }

    long createdPayloadBytes() {
        return sum(CREATED_PAYLOAD);
    }

    long createdTakenBytes() {
        return sum(CREATED_TAKEN);
    }

    private long sum(int counter) {
        long sum = 0;
        for (int stock = 0; stock + STOCK_LONGS <= stocks.length; stock += STOCK_LONGS) {
            sum += stocks[stock + counter];
        }
        return sum;
    }

    // ---- restore and audit ----

    /**
     * Rebuilds all lists from the entries after a restore, before other threads use the store.
     *
     * @param end an index that no CID has reached
     */
    public synchronized void rebuild(long end) {
        unusedFirst = Table.nextPage(end - 1);
        for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
            for (long index = Table.nextPage(page) - 1; index >= Math.max(page, 1); index--) {
                int state = EntryWord.state(memory.getLong(table.entry(index)));
                if (state == EntryWord.RETIRED) {
                    table.addToWord(index, FreeWord.died(0));
                } else if (state == EntryWord.FREE) {
                    pushAll(index, index + 1);
                }
            }
            release(page);
        }
        emptied.clear();
    }

    /** {@return an index that no CID has reached: the first index of the pages that were never used, at least 1} */
    public synchronized long end() {
        return Math.max(unusedFirst, 1);
    }

    /**
     * Walks all lists and stocks, and checks that every FREE index of a page is in exactly one of them. All allocation
     * stripes must be held and all stripes frozen.
     *
     * @throws StoreException that names the first wrong index
     */
    public synchronized void audit() {
        Set<Long> queued = new HashSet<>();
        for (int i = 0; i < queueCount; i++) {
            long page = queue[(queueFirst + i) % queue.length];
            require(queued.add(page) && FreeWord.queued(table.word(page)), page, "its page is queued without knowing");
        }
        long unlisted = 0;
        for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
            unlisted += auditPage(page);
            require(FreeWord.queued(table.word(page)) == queued.contains(page), page, "its page is not in the queue");
        }
        long stocked = sharedEnd - sharedNext;
        for (int stock = 0; stock + STOCK_LONGS <= stocks.length; stock += STOCK_LONGS) {
            stocked += stocks[stock + FRESH_END] - stocks[stock + FRESH_NEXT]
                + auditList(stocks[stock + LIST_PAGE], (int) stocks[stock + LIST_HEAD]);
        }
        long out = rangesOut + singlesOut.get();
        require(unlisted >= stocked && unlisted - stocked <= out, 0, unlisted + " FREE indexes are in no list, but "
            + "stocks have " + stocked + ", and operations " + out);
        long gap = table.nextGaps(0, unusedFirst, 1, true);
        require(gap < 0 || gap >= gapsFirst, gapsFirst, "no gap should be before it");
    }

    /** Returns the number of FREE indexes of a page that are not in its list. */
    private int auditPage(long page) {
        long word = table.word(page);
        int listed = auditList(page, FreeWord.head(word));
        int free = 0;
        int dead = 0;
        for (long index = Math.max(page, 1); index < Table.nextPage(page); index++) {
            int state = EntryWord.state(memory.getLong(table.entry(index)));
            free += state == EntryWord.FREE ? 1 : 0;
            dead += state == EntryWord.RETIRED ? 1 : 0;
        }
        require(listed == FreeWord.count(word) && dead == FreeWord.dead(word), page, "its list has " + listed
            + " indexes and it has " + dead + " dead ones, but it counts " + FreeWord.count(word) + " and "
            + FreeWord.dead(word));
        return free - listed;
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
