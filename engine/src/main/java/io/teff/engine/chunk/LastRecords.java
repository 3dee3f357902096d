package io.teff.engine.chunk;

import io.teff.engine.table.CidLayout;

/**
 * The last record of recently changed chunks: a record of bytes of a chunk names it as its predecessor. Thread-safe.
 *
 * <p><b>Promise.</b> A chunk's number is returned only if no later record of the chunk is in the journal, or can become
 * part of the journal. A chunk that is not known is recorded as a whole.
 *
 * <p><b>Proof.</b> A slot is noted between the claim of a record and its commit ({@link #claimed}), and from then on is
 * <i>closed</i>: a closed slot returns no number. {@link #whole} or {@link #bytes} open the slot behind the commit. So
 * a record that was abandoned, or whose thread has ended, leaves a closed slot. The number of a slot only rises, also
 * from chunk to chunk: a record that another chunk has driven out of its slot cannot be forgotten in favour of an
 * earlier record. What remains is a record that is claimed and not yet noted, while another record of the chunk is
 * made. Records outside of a chunk's stripe are made under a hold of the chunk only, and records of bytes are made
 * inside of the stripe, while no other thread holds the chunk.
 *
 * <p><b>Bound.</b> Records of bytes that follow each other have at most the bytes of the whole chunk, and are at most
 * {@link #RECORDS_MAX}. Then the chunk is recorded as a whole again. So a restore reads at most twice the bytes, and a
 * log with every chunk changed to the bound has at most twice the bytes of the chunks.
 */
final class LastRecords {
    /** No number. */
    static final long NONE = 0;
    /** Limit of the records of bytes behind a record of the whole chunk. */
    static final int RECORDS_MAX = 64;
    /** Shorter chunks are recorded as a whole: the head of an entry would be most of it. */
    static final int CHUNK_BYTES_MIN = 128;
    /** Bytes that the bound counts for an entry beside its content. */
    static final int ENTRY_BYTES = 12;

    /** Slots; a slot takes 25 bytes of heap. Chunks of collections have consecutive indexes, so few share a slot. */
    private static final int SLOTS = 1 << 17;
    private static final int PAGE_SLOTS = 1 << 10;
    private static final int LOCKS = 1 << 6;

    /** Slots of consecutive indexes. */
    private static final class Page {
        private final long[] cids = new long[PAGE_SLOTS];
        private final long[] numbers = new long[PAGE_SLOTS];
        /** Bytes that may still follow the whole chunk. */
        private final int[] leftBytes = new int[PAGE_SLOTS];
        private final byte[] leftRecords = new byte[PAGE_SLOTS];
        private final boolean[] isOpen = new boolean[PAGE_SLOTS];

        /** Returns whether a slot is of this chunk and record. */
        boolean isOf(int slot, long cid, long number) {
            return numbers[slot] == number && cids[slot] == cid;
        }
    }

    private final Page[] pages = new Page[SLOTS / PAGE_SLOTS];
    private final Object[] locks = new Object[LOCKS];

    LastRecords() {
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    private static int slot(long cid) {
        return (int) CidLayout.index(cid) & SLOTS - 1;
    }

    /**
     * Returns whether a slot may be of a chunk. Reads without the lock: the caller works in the chunk's stripe or holds
     * the chunk, and so sees what was noted for the chunk before, or what another chunk has put in its place.
     */
    private boolean isKnown(int slot, long cid) {
        final Page page = pages[slot / PAGE_SLOTS];
        return page != null && page.cids[slot % PAGE_SLOTS] == cid;
    }

    /**
     * Returns the number of a chunk's last record if bytes may follow it, else {@link #NONE}. Called inside the chunk's
     * stripe, or under an exclusive hold.
     */
    long of(long cid) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        if (!isKnown(slot, cid)) {
            return NONE;
        }
        synchronized (locks[slot % LOCKS]) {
            final Page page = pages[slot / PAGE_SLOTS];
            return page != null && page.cids[at] == cid && page.isOpen[at] && page.leftRecords[at] > 0
                ? page.numbers[at] : NONE;
        }
    }

    /** Returns the bytes of entries that may follow the chunk's last record, if it has this number; else 0. */
    int leftBytes(long cid, long number) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        synchronized (locks[slot % LOCKS]) {
            final Page page = pages[slot / PAGE_SLOTS];
            return number != NONE && page != null && page.isOf(at, cid, number) && page.leftRecords[at] > 0
                ? page.leftBytes[at] : 0;
        }
    }

    /**
     * Closes a chunk's slot: its memory is about to change. The change behind it is recorded as a whole, unless its
     * thread knows the number.
     */
    void close(long cid) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        if (!isKnown(slot, cid)) {
            return;
        }
        synchronized (locks[slot % LOCKS]) {
            final Page page = pages[slot / PAGE_SLOTS];
            if (page != null && page.cids[at] == cid) {
                page.isOpen[at] = false;
            }
        }
    }

    /** Notes a claimed record of any kind, before its commit. */
    void claimed(long cid, long number, long chunkBytes) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        if (chunkBytes < CHUNK_BYTES_MIN && !isKnown(slot, cid)) {
            return;
        }
        synchronized (locks[slot % LOCKS]) {
            Page page = pages[slot / PAGE_SLOTS];
            if (page == null) {
                page = new Page();
                pages[slot / PAGE_SLOTS] = page;
            }
            if (number > page.numbers[at] && (chunkBytes >= CHUNK_BYTES_MIN || page.cids[at] == cid)) {
                page.leftRecords[at] = page.cids[at] == cid ? page.leftRecords[at] : 0;
                page.cids[at] = cid;
                page.numbers[at] = number;
                page.isOpen[at] = false;
            }
        }
    }

    /** Notes that a record of the whole chunk is committed, and is the last one. */
    void whole(long cid, long number, long chunkBytes) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        if (!isKnown(slot, cid)) {
            return;
        }
        synchronized (locks[slot % LOCKS]) {
            final Page page = pages[slot / PAGE_SLOTS];
            if (page != null && page.isOf(at, cid, number)) {
                page.leftBytes[at] = (int) chunkBytes;
                page.leftRecords[at] = RECORDS_MAX;
                page.isOpen[at] = chunkBytes >= CHUNK_BYTES_MIN;
            }
        }
    }

    /** Notes that a record of bytes of the chunk is committed, and is the last one. */
    void bytes(long cid, long number, int contentBytes) {
        final int slot = slot(cid);
        final int at = slot % PAGE_SLOTS;
        synchronized (locks[slot % LOCKS]) {
            final Page page = pages[slot / PAGE_SLOTS];
            if (page != null && page.isOf(at, cid, number)) {
                page.leftBytes[at] -= contentBytes + ENTRY_BYTES;
                page.leftRecords[at]--;
                page.isOpen[at] = true;
            }
        }
    }
}
