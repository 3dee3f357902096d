package io.teff.engine.chunk;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;

/**
 * Operations that read one chunk. Fastest for chunks of one zone, but for chunks of all.
 *
 * <p>The fast path writes nothing and takes no lock: begin in the stripe, load the entry, check the stripe (this proves
 * the entry, so that its address may be used), copy, check the stripe again. The slow path takes over for a chunk that
 * is held exclusively, for a length that is stored in front of the payload, and after several lost races with writers.
 * The slow path enters the stripe; long copies hold a read lock instead.
 */
public final class Reads {
    private final ChunkSpace space;
    private final Stripes stripes;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    private final Memory memory;
    private final long base;
    private final ChunkLocks locks;
    private final Table own;
    private final long creator;
    /** Whether bytes behind a chunk may be read: there are no guard pages. */
    private final boolean isAhead;

    public Reads(ChunkSpace space, Zone zone) {
        this.space = space;
        this.stripes = space.stripes;
        this.words = stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = stripes.mask();
        this.memory = space.memory;
        this.base = memory.placeOfZero();
        this.locks = space.locks;
        this.own = zone.table();
        this.creator = CidLayout.creator(zone.nid());
        this.isAhead = Memory.RESERVED && space.config.debugLevel() == DebugLevel.OFF;
    }

    /**
     * Copies a whole chunk to the beginning of an array whose other bytes are free; returns its length or a status. If
     * the chunk and the array allow it, the copy takes one branch for all lengths ({@code docs/decisions/0023}), else
     * as {@link #get(long, byte[], int)}.
     */
    public int get(long cid, byte[] target) {
        final long place = Stripes.place(stripesStart, stripesMask, cid);
        final long begun = Stripes.word(words, place);
        final long page = own.nearPage(cid);
        if (isAhead && Table.isPage(page) && ChunkSpace.mayLoad(begun)) {
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            final int length = EntryWord.length(word);
            if (EntryWord.isReadable(word, cid, creator) && Memory.isAhead(length, target)
                && Stripes.isProven(words, place, begun)) {
                Memory.copyOutAhead(memory, base + EntryWord.address(word), target, length);
                if (Stripes.isStill(words, place, begun)) {
                    return length;
                }
            }
        }
        return get(cid, target, 0);
    }

    /**
     * Copies a whole chunk into an array; returns its length or a status. Handles plain chunks of its zone; passes all
     * others to {@link #getInto}. The number of instructions decides the speed of this method: the fewer there are, the
     * more cache misses of neighbouring operations overlap ({@code docs/decisions/0004}).
     */
    public int get(long cid, byte[] target, int offset) {
        final long place = Stripes.place(stripesStart, stripesMask, cid);
        final long begun = Stripes.word(words, place);
        final long page = own.nearPage(cid);
        if (Table.isPage(page) && ChunkSpace.mayLoad(begun)) {
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            final int length = EntryWord.length(word);
            if (EntryWord.isReadable(word, cid, creator) && Memory.isShort(length, target, offset)
                && Stripes.isProven(words, place, begun)) {
                Memory.copyOutShort(memory, base + EntryWord.address(word), target, offset, length);
                if (Stripes.isStill(words, place, begun)) {
                    return length;
                }
            }
        }
        return (int) getInto(cid, target, offset);
    }

    /** Copies a whole chunk; returns its length or a status. */
    public long getInto(long cid, Object target, long offset) {
        Buffers.check(target, offset, 0);
        final int stripe = stripes.of(cid);
        final long begun = stripes.begin(stripe);
        final long word = space.find(cid);
        if (EntryWord.isReadable(word, cid) && EntryWord.isEmbedded(word) && stripes.unchanged(stripe, begun)) {
            final int length = EntryWord.length(word);
            if (length <= Buffers.size(target) - offset) {
                Buffers.copyOut(memory, EntryWord.address(word), target, offset, length);
                if (stripes.unchanged(stripe, begun)) {
                    return length;
                }
            }
        }
        return getSlow(cid, target, offset);
    }

    private long getSlow(long cid, Object target, long offset) {
        long length = size(cid);
        if (length < 0) {
            return length;
        }
        if (length > Buffers.size(target) - offset) {
            return Status.TOO_SMALL;
        }
        int result = Status.OK;
        if (length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
            result = locks.enter(cid, LockIntent.READ, space.config.lockTimeoutNs());
            if (result != Status.OK) {
                return result;
            }
            try {
                long word = space.word(cid);
                length = space.chunks.length(word);
                if (length <= Thresholds.OPTIMISTIC_BYTES_MAX) {
                    return copyWhole(word, length, target, offset);
                }
            } finally {
                locks.leave(cid);
            }
        }
        return getLong(cid, target, offset);
    }

    private long getLong(long cid, Object target, long offset) {
        space.beginRunning();
        try {
            int held = space.hold(cid, false, space.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                long word = space.word(cid);
                return copyWhole(word, space.chunks.length(word), target, offset);
            } finally {
                space.unhold(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    private long copyWhole(long word, long length, Object target, long offset) {
        if (length > Buffers.size(target) - offset) {
            return Status.TOO_SMALL;
        }
        if (length > 0) {
            Buffers.copyOut(memory, EntryWord.address(word), target, offset, length);
        }
        return length;
    }

    /** Returns the length of a chunk, or ABSENT. Does not wait for locks. */
    public long size(long cid) {
        final int stripe = stripes.of(cid);
        for (;;) {
            final long begun = stripes.begin(stripe);
            final long word = space.find(cid);
            if (!stripes.unchanged(stripe, begun)) {
                continue;
            }
            if (!EntryWord.isChunk(word, cid)) {
                return Status.ABSENT;
            }
            long length = space.chunks.length(word);
            if (stripes.unchanged(stripe, begun)) {
                return length;
            }
        }
    }

    /** Copies a part of a chunk; returns OK or a status. */
    public int getBytes(long cid, long chunkOffset, Object target, long offset, long length) {
        Buffers.check(target, offset, length);
        if (length > Thresholds.OPTIMISTIC_BYTES_MAX) {
            return getLongRange(cid, chunkOffset, target, offset, length);
        }
        final int stripe = stripes.of(cid);
        for (int attempt = 0; attempt < Thresholds.OPTIMISTIC_ATTEMPTS; attempt++) {
            final long begun = stripes.begin(stripe);
            final long word = space.find(cid);
            if (!EntryWord.isReadable(word, cid)) {
                break;
            }
            if (!stripes.unchanged(stripe, begun)) {
                continue;
            }
            boolean inside = isInside(chunkOffset, length, space.chunks.length(word));
            if (!stripes.unchanged(stripe, begun)) {
                continue;
            }
            if (!inside) {
                return Status.OUT_OF_RANGE;
            }
            copyRange(word, chunkOffset, target, offset, length);
            if (stripes.unchanged(stripe, begun)) {
                return Status.OK;
            }
        }
        int entered = locks.enter(cid, LockIntent.READ, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            return entered;
        }
        try {
            return copyRangeChecked(space.word(cid), chunkOffset, target, offset, length);
        } finally {
            locks.leave(cid);
        }
    }

    private int getLongRange(long cid, long chunkOffset, Object target, long offset, long length) {
        space.beginRunning();
        try {
            int held = space.hold(cid, false, space.config.lockTimeoutNs());
            if (held < 0) {
                return held;
            }
            try {
                return copyRangeChecked(space.word(cid), chunkOffset, target, offset, length);
            } finally {
                space.unhold(cid, held);
            }
        } finally {
            space.endRunning();
        }
    }

    private int copyRangeChecked(long word, long chunkOffset, Object target, long offset, long length) {
        if (!isInside(chunkOffset, length, space.chunks.length(word))) {
            return Status.OUT_OF_RANGE;
        }
        copyRange(word, chunkOffset, target, offset, length);
        return Status.OK;
    }

    private void copyRange(long word, long chunkOffset, Object target, long offset, long length) {
        if (length > 0) {
            Buffers.copyOut(memory, EntryWord.address(word) + chunkOffset, target, offset, length);
        }
    }

    public static boolean isInside(long chunkOffset, long length, long chunkLength) {
        return (chunkOffset | length) >= 0 && length <= chunkLength - chunkOffset;
    }
}
