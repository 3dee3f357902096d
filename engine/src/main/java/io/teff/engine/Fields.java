package io.teff.engine;

import io.teff.engine.check.Refusals;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.FieldWrites;
import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Words;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;

/**
 * The operations of {@link FieldOperations} on chunks of this store. Reads are optimistic, and write nothing to shared
 * memory unless the chunk is locked, long, of another creator, or changes meanwhile. Thread-safe.
 */
public final class Fields implements FieldOperations {
    private final ChunkSpace space;
    private final Changes changes;
    private final FieldWrites addresses;
    private final Memory memory;
    private final Words words;
    private final long stripesStart;
    private final long stripesMask;
    private final Table own;
    private final long creator;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Fields(StoreHandle handle, Core core) {
        this.handle = handle;
        this.space = core.space;
        this.changes = core.changes;
        this.addresses = changes.steps().fields();
        this.memory = space.memory;
        this.words = space.stripes.words();
        this.stripesStart = words.start();
        this.stripesMask = space.stripes.mask();
        this.own = core.zone.table();
        this.creator = CidLayout.creator(own.nid());
    }

    // ---- read ----

    @Override
    public long getLong(long cid, long offset, long ifAbsent) {
        return read(cid, offset, Long.BYTES, ifAbsent);
    }

    @Override
    public int getInt(long cid, long offset, int ifAbsent) {
        return (int) read(cid, offset, Integer.BYTES, ifAbsent);
    }

    @Override
    public short getShort(long cid, long offset, short ifAbsent) {
        return (short) read(cid, offset, Short.BYTES, ifAbsent);
    }

    @Override
    public byte getByte(long cid, long offset, byte ifAbsent) {
        return (byte) read(cid, offset, Byte.BYTES, ifAbsent);
    }

    private long read(long cid, long offset, int bytes, long ifAbsent) {
        final long place = Stripes.place(stripesStart, stripesMask, cid);
        final long begun = Stripes.word(words, place);
        final long page = own.nearPage(cid);
        if (Table.isPage(page) && ChunkSpace.mayLoad(begun)) {
            final long word = Memory.getLongThenFence(memory, Table.entryIn(page, cid));
            final int length = EntryWord.length(word);
            if (EntryWord.isReadable(word, cid, creator) && length != EntryWord.LENGTH_IN_FRONT && offset >= 0
                && offset <= length - bytes && Stripes.isProven(words, place, begun)) {
                final long value = FieldWrites.load(memory, EntryWord.address(word) + offset, bytes);
                if (Stripes.isStill(words, place, begun)) {
                    return value;
                }
            }
        }
        return readSlow(cid, offset, bytes, ifAbsent);
    }

    private long readSlow(long cid, long offset, int bytes, long ifAbsent) {
        int entered = space.locks.enter(cid, LockIntent.READ, space.config.lockTimeoutNs());
        if (entered == Status.ABSENT) {
            return ifAbsent;
        }
        if (entered != Status.OK) {
            throw Refusals.of(cid, entered);
        }
        try {
            return FieldWrites.load(memory, addresses.address(cid, offset, bytes), bytes);
        } finally {
            space.locks.leave(cid);
        }
    }

    // ---- write ----

    @Override
    public int putLong(long cid, long offset, long value) {
        return changes.putField(cid, offset, Long.BYTES, value);
    }

    @Override
    public int putInt(long cid, long offset, int value) {
        return changes.putField(cid, offset, Integer.BYTES, value);
    }

    @Override
    public int putShort(long cid, long offset, short value) {
        return changes.putField(cid, offset, Short.BYTES, value);
    }

    @Override
    public int putByte(long cid, long offset, byte value) {
        return changes.putField(cid, offset, Byte.BYTES, value);
    }

    // ---- compare and set, add ----

    @Override
    public int compareAndSetLong(long cid, long offset, long expected, long update) {
        return changes.compareAndSetField(cid, offset, Long.BYTES, expected, update);
    }

    @Override
    public int compareAndSetInt(long cid, long offset, int expected, int update) {
        return changes.compareAndSetField(cid, offset, Integer.BYTES, expected, update);
    }

    @Override
    public long getAndAddLong(long cid, long offset, long delta) {
        return changes.getAndAddField(cid, offset, Long.BYTES, delta);
    }

    @Override
    public int getAndAddInt(long cid, long offset, int delta) {
        return (int) changes.getAndAddField(cid, offset, Integer.BYTES, delta);
    }
}
