package io.teff.engine.chunk;

import io.teff.engine.error.Status;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Zone;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes several chunks of one zone at once, if conditions hold. For one thread; used once.
 *
 * <p><b>All or nothing.</b> New contents get their memory before anything is changed. Then the stripes of all chunks
 * are entered, in the order of their numbers; inside of them locks and conditions are checked, the record is written,
 * and the entries are switched to the new memory, which cannot fail any more. Other operations on these chunks are
 * before or behind the whole, because each works inside of its chunk's stripe; a chunk that a thread changes outside of
 * it is held exclusively, and the group is LOCKED.
 *
 * <p>The record is copied inside of the stripes: at most 1 MiB, some 100 microseconds.
 */
public final class GroupChange {
    /** The chunk must exist. */
    public static final int IF_PRESENT = 1;
    /** The chunk must not exist. */
    public static final int IF_ABSENT = 2;
    /** The chunk must have the expected content. */
    public static final int IF_EQUAL = 3;
    /** The chunk must have 8 bytes, whose number is not above the expected one. */
    public static final int IF_NOT_ABOVE = 4;
    /** The chunk gets new content. */
    public static final int PUT = 1;
    /** The chunk is removed. */
    public static final int REMOVE = 2;

    /** Length of a removal in the record. */
    static final long REMOVED = -1;
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class,
        ByteOrder.LITTLE_ENDIAN);
    /** Address of a chunk that gets no memory. */
    private static final long NO_ADDRESS = 0;

    private final ChunkSpace space;
    private final Zone zone;
    private final Creates creates;
    private final ChangeLog log;
    private final Upkeep upkeep;
    private final long[] cids;
    private final int[] conditions;
    private final int[] changes;
    private final byte[] @Nullable [] expected;
    private final byte[] @Nullable [] contents;
    private final long[] addresses;
    /** Whether the table page of a chunk that was removed is empty. */
    private final boolean[] hasEmptied;
    private final Set<Long> named = new HashSet<>();
    private int count;
    private int entries;
    private long bytes;

    GroupChange(ChunkSpace space, Zone zone, Creates creates, ChangeLog log, Upkeep upkeep, int capacity) {
        this.space = space;
        this.zone = zone;
        this.creates = creates;
        this.log = log;
        this.upkeep = upkeep;
        cids = new long[capacity];
        conditions = new int[capacity];
        changes = new int[capacity];
        expected = new byte[capacity][];
        contents = new byte[capacity][];
        addresses = new long[capacity];
        hasEmptied = new boolean[capacity];
    }

    /**
     * Adds a chunk.
     *
     * @param cid the chunk
     * @param condition 0 or one of the constants
     * @param expect the content that it must have, for IF_EQUAL, or its highest number, for IF_NOT_ABOVE
     * @param change 0 or one of the constants
     * @param content its new content, for PUT
     * @throws IllegalArgumentException if the chunk is of another zone, or named twice, or there is too much content
     */
    public void add(long cid, int condition, byte @Nullable [] expect, int change, byte @Nullable [] content) {
        if (CidLayout.nid(cid) != zone.nid() || !named.add(cid)) {
            throw new IllegalArgumentException("chunk " + CidLayout.toString(cid) + " is named twice, or not of zone "
                + zone.nid());
        }
        cids[count] = cid;
        conditions[count] = condition;
        changes[count] = change;
        expected[count] = expect;
        contents[count] = content;
        count++;
        entries += change == 0 ? 0 : 1;
        bytes += content == null ? 0 : content.length;
        if (bytes > Journal.CONTENT_BYTES_MAX) {
            throw new IllegalArgumentException("the new contents of a group have more than " + Journal.CONTENT_BYTES_MAX
                + " bytes");
        }
    }

    /** {@return OK, 1 + index of a chunk whose condition does not hold, or a status} */
    public int run() {
        log.begin();
        int result = Status.FULL;
        boolean hasAllocated = false;
        space.inFlight.increment();
        try {
            hasAllocated = allocate();
            if (hasAllocated) {
                log.awaitRoom(entries, bytes);
                result = changeAll();
            }
        } finally {
            if (result != Status.OK) {
                free();
            }
            space.inFlight.decrement();
        }
        if (result == Status.OK && entries > 0) {
            finish();
            log.done(Status.OK);
        }
        return result;
    }

    private boolean allocate() {
        for (int i = 0; i < count; i++) {
            final byte[] content = contents[i];
            if (content != null) {
                final long address = creates.allocateFilled(content, 0, content.length);
                if (address == ChunkMemory.FULL) {
                    count = i;                                  // the others have none to be freed
                    return false;
                }
                addresses[i] = address;
            }
        }
        return true;
    }

    private void free() {
        for (int i = 0; i < count; i++) {
            final byte[] content = contents[i];
            if (content != null && addresses[i] != NO_ADDRESS) {
                creates.freeMemory(addresses[i], content.length);
            }
        }
    }

    private int changeAll() {
        final int[] stripes = Arrays.stream(cids).mapToInt(space.stripes::of).sorted().distinct().toArray();
        int entered = 0;
        try {
            for (; entered < stripes.length; entered++) {
                space.stripes.enter(stripes[entered]);
            }
            if (zone.isDropped()) {
                throw new ZoneDroppedException(zone.nid());
            }
            final int result = check();
            if (result == Status.OK && entries > 0) {
                record();
                switchAll();
            }
            return result;
        } finally {
            for (int i = 0; i < entered; i++) {
                space.stripes.leave(stripes[i]);
            }
        }
    }

    // ---- inside the stripes ----

    private int check() {
        for (int i = 0; i < count; i++) {
            final LockIntent intent = changes[i] == PUT ? LockIntent.WRITE : changes[i] == REMOVE ? LockIntent.REMOVE
                : LockIntent.READ;
            final int admitted = space.locks.admitInside(cids[i], intent);
            if (admitted == Status.ABSENT) {
                if (changes[i] != 0 || conditions[i] != 0 && conditions[i] != IF_ABSENT) {
                    return i + 1;
                }
            } else if (admitted != Status.OK) {
                return admitted;
            } else if (conditions[i] == IF_ABSENT || conditions[i] == IF_EQUAL && !isEqual(i)
                || conditions[i] == IF_NOT_ABOVE && !isNotAbove(i)) {
                return i + 1;
            } else if (changes[i] != 0 && space.locks.isPinnedInside(cids[i])) {
                return Status.PINNED;
            }
        }
        return Status.OK;
    }

    private boolean isEqual(int index) {
        final byte[] expect = expected[index];
        return expect != null && Arrays.equals(content(index, expect.length), expect);
    }

    private boolean isNotAbove(int index) {
        final byte[] highest = expected[index];
        final byte[] content = content(index, Long.BYTES);
        return highest != null && content != null && number(content) <= number(highest);
    }

    private static long number(byte[] content) {
        return (long) NUMBER.get(content, 0);
    }

    /** Returns the content of a chunk; null if the chunk has another length. */
    private byte @Nullable [] content(int index, int length) {
        final long word = space.word(cids[index]);
        if (space.chunks.length(word) != length) {
            return null;
        }
        final byte[] content = new byte[length];
        if (length > 0) {
            space.memory.copyOut(EntryWord.address(word), content, 0, length);
        }
        return content;
    }

    private void record() {
        final long[] changed = new long[entries];
        final long[] lengths = new long[entries];
        final long[] sources = new long[entries];
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (changes[i] != 0) {
                final byte[] content = contents[i];
                changed[next] = cids[i];
                lengths[next] = content == null ? REMOVED : content.length;
                sources[next++] = addresses[i];
            }
        }
        log.recordTogether(zone.nid(), changed, sources, lengths, bytes);
    }

    private void switchAll() {
        for (int i = 0; i < count; i++) {
            final long word = space.word(cids[i]);
            final byte[] content = contents[i];
            if (changes[i] == PUT && content != null) {
                final long oldLength = space.chunks.length(word);
                space.write(cids[i], EntryWord.withMemory(word, StoredLength.field(content.length), addresses[i]));
                space.countInside(cids[i], 0, content.length - oldLength,
                    space.chunks.takenBytes(content.length) - space.chunks.takenBytes(oldLength));
                space.chunks.free(EntryWord.address(word), oldLength);
            } else if (changes[i] == REMOVE) {
                hasEmptied[i] = space.endChunk(cids[i], word, false);
            }
        }
    }

    // ---- outside ----

    private void finish() {
        boolean hasRemoved = false;
        for (int i = 0; i < count; i++) {
            if (changes[i] == REMOVE) {
                hasRemoved = true;
                if (hasEmptied[i]) {
                    space.releaseTablePage(cids[i]);
                }
            }
        }
        if (hasRemoved) {
            upkeep.removed();
        } else {
            upkeep.changed();
        }
    }
}
