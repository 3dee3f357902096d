package io.teff.engine.chunk;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Zone;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Records changes of chunks in a journal; does nothing if the store has none.
 *
 * <p>A recorded entry is always the chunk's state in memory, read after the change and inside the chunk's stripe. So it
 * is right regardless of earlier changes, and recording a chunk twice does no harm.
 *
 * <p>A change log has one of two modes. In single mode, each change becomes a record at once. In grouped mode, which
 * collections use, the log only notes which chunks a thread has changed. {@link #endGroup} then writes all changed
 * chunks as a group, before the collection's lock is released, so that no other thread can have changed the chunks in
 * between. Thread-safe.
 */
public final class ChangeLog {
    private static final int NOT_HELD = Integer.MAX_VALUE;

    private final ChunkSpace space;
    private final @Nullable Journal journal;
    /** Takes the records that a thread cannot commit; unused without a journal. */
    private final long[] abandoned;
    /** Chunks that each thread has changed since its last group; null in single mode. */
    private final @Nullable ThreadLocal<ChangeGroup> groups;
    /** The last records of chunks; null if the store's journal takes no bytes of chunks. */
    private final @Nullable LastRecords last;
    private final @Nullable BytesLog bytes;
    /** The zone whose collections change the chunks of groups; without meaning in single mode. */
    private final Zone zone;

    private ChangeLog(ChunkSpace space, @Nullable Journal journal, Zone zone,
                      @Nullable ThreadLocal<ChangeGroup> groups, @Nullable LastRecords last) {
        this.last = last;
        this.bytes = last == null || journal == null || groups != null ? null
            : new BytesLog(space, journal, this, last);
        this.space = space;
        this.zone = zone;
        this.journal = journal;
        this.abandoned = journal == null ? new long[1] : journal.abandoned().places();
        this.groups = groups;
    }

    /** Creates a log in single mode. */
    public static ChangeLog single(ChunkSpace space, @Nullable Journal journal) {
        return new ChangeLog(space, journal, space.ownZone, null,
            journal != null && journal.takesBytes() ? new LastRecords() : null);
    }

    /** Returns a log in grouped mode with the same journal, for the collections of a zone. */
    public ChangeLog grouped(Zone of) {
        return journal == null ? this
            : new ChangeLog(space, journal, of, ThreadLocal.withInitial(ChangeGroup::new), last);
    }

    /**
     * Returns a log in single mode with another journal.
     *
     * @param other passes each call on to the journal of the store, which takes no bytes of chunks
     */
    ChangeLog recordedBy(Journal other) {
        if (last != null) {
            throw new IllegalStateException("the last records are those of the store's journal");
        }
        return new ChangeLog(space, other, zone, null, null);
    }

    @Nullable Journal journal() {
        return journal;
    }

    /** Returns whether changes are recorded. */
    public boolean isRecording() {
        return journal != null;
    }

    /** Returns whether the journal refuses every change. */
    public boolean isReadOnly() {
        return journal != null && journal.isReadOnly();
    }

    /** Waits until all changes made before are as durable as the journal can make them. */
    public void sync() {
        if (journal != null) {
            journal.sync();
        }
    }

    // ---- around a change, by a thread that holds no lock or stripe ----

    /**
     * Waits for room in the journal; throws if the journal cannot accept changes. Must be called before a change. Does
     * nothing in grouped mode, where {@link #beginGroup} is called once per group.
     */
    void begin() {
        if (journal != null && groups == null) {
            space.stripes.checkOpen();
            journal.begin();
        }
    }

    /**
     * Waits for room in the journal for {@code entries} more small entries; refuses nothing. Called in the middle of a
     * large change.
     */
    public void awaitRoom(int entries) {
        if (journal != null && groups == null) {
            journal.awaitRoom(entries, 0);
        }
    }

    /** Waits for room in the journal for the entries of one record; refuses nothing. */
    void awaitRoom(int entries, long bytes) {
        if (journal != null && entries > 0) {
            journal.awaitRoom(entries, bytes);
        }
    }

    /**
     * Waits for room in the journal; throws if the journal cannot accept changes. Called by a collection before it
     * takes its lock. Does nothing if the thread's group contains a change already.
     */
    public void beginGroup() {
        if (journal != null && (groups == null || groups.get().isEmpty())) {
            space.stripes.checkOpen();
            journal.begin();
        }
    }

    /** Waits as {@link #beginGroup} for room for a change that removes something. */
    public void beginRemoval() {
        if (journal != null && (groups == null || groups.get().isEmpty())) {
            space.stripes.checkOpen();
            journal.beginRemoval();
        }
    }

    /**
     * Waits until a change is durable, and returns its result, which is a value or a status; does not wait if it is a
     * status. Must be called after the change, by a thread that holds no lock or stripe.
     */
    long done(long result) {
        if (journal != null && !Status.isStatus(result)) {
            journal.done();
        }
        return result;
    }

    /** Waits as {@link #done(long)} does, for an {@code int} result. */
    int done(int result) {
        return (int) done((long) result);
    }

    // ---- inside the chunk's stripe ----

    /** Records the current state of a chunk or reservation. */
    public void recordChange(long cid) {
        if (journal != null) {
            record(cid, space.word(cid));
        }
    }

    /** Records the next entry of a chunk or reservation, before other threads can see the entry. */
    public void record(long cid, long word) {
        if (journal != null) {
            if (groups == null) {
                opened(cid, word, writeInside(journal, cid, word, 0));
            } else {
                groups.get().add(cid);
                close(cid);
            }
        }
    }

    /** Records that a chunk is about to be removed; as {@link #recordRemoval(long)}. */
    public boolean recordRemoval(long cid, long length) {
        if (journal != null && groups == null) {
            journal.removing(length);
        }
        return recordRemoval(cid);
    }

    /**
     * Records that a chunk or reservation is about to be removed. Returns true if its index must not be reused before
     * the group is written.
     */
    public boolean recordRemoval(long cid) {
        if (journal != null) {
            if (groups == null) {
                writeInside(journal, cid, 0, 0);
            } else {
                groups.get().addRemoval(cid, journal.now(CidLayout.nid(cid)));
                close(cid);
                return true;
            }
        }
        return false;
    }

    /** Records the new content of a chunk that the thread holds exclusively; called outside its stripe. */
    public void recordHeld(long cid) {
        if (journal != null && groups == null) {
            final long word = space.word(cid);
            opened(cid, word, writeHeld(journal, cid, word));
        } else {
            recordChange(cid);
        }
    }

    /** Records a chunk that the thread holds exclusively, with the entry it gets when the hold ends. */
    public void recordHeld(long cid, long word) {
        if (journal != null) {
            opened(cid, word, writeHeld(journal, cid, word));
        }
    }

    private long writeHeld(Journal to, long cid, long word) {
        final long length = lengthOf(kind(cid, word), word);
        if (length <= Journal.CONTENT_BYTES_MAX) {
            to.awaitRoom(1, length);
        }
        return write(to, cid, word, 0, false);
    }

    /**
     * Throws if the store is closed. Must be called outside all stripes, after reading memory of the store and before
     * using the bytes: some time after a close, memory is released although threads outside the stripes may still read
     * it, and they read zeros. If the store is not closed at this call, the bytes read before it are valid.
     */
    private void checkStillOpen() {
        VarHandle.acquireFence();
        space.stripes.checkOpen();
    }

    /**
     * Writes a chunk as a record, inside its stripe. A removal gets the number {@code removedAt}, or the record's
     * number if {@code removedAt} is 0. Returns the number of the record, or 0 for a chain of records.
     */
    private long writeInside(Journal to, long cid, long word, long removedAt) {
        return write(to, cid, word, removedAt, true);
    }

    private long write(Journal to, long cid, long word, long removedAt, boolean isInside) {
        final int kind = kind(cid, word);
        final long length = lengthOf(kind, word);
        if (length > Journal.CONTENT_BYTES_MAX) {
            close(cid);
            writeLong(to, cid, kind, word, length);
            return 0;
        }
        try {
            return writeRecord(to, cid, kind, word, length, kind == Journal.REMOVED ? removedAt : 0, isInside);
        } catch (InternalError e) {
            throw to.memoryFailed(e);
        }
    }

    /** Writes a record of one entry. Catches nothing: to resolve the class of an exception may need stack. */
    private long writeRecord(Journal to, long cid, int kind, long word, long length, long number, boolean isInside) {
        final long[] left = abandoned;
        final long record = to.claim(CidLayout.nid(cid), 1, length);
        boolean isCommitted = false;
        try {
            claimed(cid, record, length);
            copyOut(to, to.entry(record, 0, cid, kind, (int) length, number), word, length);
            if (!isInside) {
                checkStillOpen();
            }
            to.commit(record, false);
            isCommitted = true;
            return record;
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    private static int kind(long cid, long word) {
        if (EntryWord.isChunk(word, cid)) {
            return EntryWord.state(word) >= EntryWord.READ_ONLY ? Journal.PUT_READ_ONLY : Journal.PUT;
        }
        return EntryWord.state(word) == EntryWord.RESERVED && EntryWord.generation(word) == CidLayout.generation(cid)
            ? Journal.RESERVED : Journal.REMOVED;
    }

    private long lengthOf(int kind, long word) {
        return kind <= Journal.PUT_READ_ONLY ? space.chunks.length(word) : 0;
    }

    private void copyOut(Journal to, long at, long word, long length) {
        if (length > 0) {
            space.memory.copyOut(EntryWord.address(word), to.memory(), at, length);
        }
    }

    private void writeLong(Journal to, long cid, int kind, long word, long length) {
        final Memory memory = space.memory;
        final long address = EntryWord.address(word);
        to.putLong(cid, kind, length, (long from, MemorySegment target, long at, long bytes) -> {
            memory.copyOut(address + from, target, at, bytes);
            checkStillOpen();
        });
    }

    // ---- what was recorded before ----

    /**
     * Records a chunk once more, as a whole, under a read hold; does nothing if it was removed meanwhile. Called
     * outside all stripes.
     *
     * @return bytes of its content
     * @throws StoreException of category RETRY if another thread holds the chunk for longer than the lock timeout
     */
    long recordWhole(Journal to, long cid) {
        space.beginRunning();
        try {
            holdAndWrite(to, cid);
            final long word = space.word(cid);
            return lengthOf(kind(cid, word), word) + Long.BYTES;
        } finally {
            space.endRunning();
        }
    }

    /**
     * Records removals that were recorded before, with the number of that time. Called outside all stripes.
     *
     * @param cids CIDs of one zone, at least one
     * @param count number of CIDs
     * @param number number of the removals, not 0
     */
    void recordRemovals(Journal to, long[] cids, int count, long number) {
        to.awaitRoom(count, 0);
        try {
            writeRemovals(to, cids, count, number);
        } catch (InternalError e) {
            throw to.memoryFailed(e);
        }
    }

    private void writeRemovals(Journal to, long[] cids, int count, long number) {
        final long[] left = abandoned;
        final long record = to.claim(CidLayout.nid(cids[0]), count, 0);
        boolean isCommitted = false;
        try {
            long at = 0;
            for (int i = 0; i < count; i++) {
                claimed(cids[i], record, 0);
                at = to.entry(record, at, cids[i], Journal.REMOVED, 0, number);
            }
            to.commit(record, false);
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    /**
     * Writes changes of chunks of a zone as a single record, before the entries are changed. Called inside the stripes
     * of all these chunks, after {@link #awaitRoom(int, long)}.
     *
     * @param cids the chunks
     * @param addresses memory of their new contents
     * @param lengths lengths of these; {@link GroupChange#REMOVED} for a removal
     * @param bytes sum of the lengths
     */
    void recordTogether(int nid, long[] cids, long[] addresses, long[] lengths, long bytes) {
        final Journal to = journal;
        if (to == null) {
            return;
        }
        try {
            writeTogether(to, nid, cids, addresses, lengths, bytes);
        } catch (InternalError e) {
            throw to.memoryFailed(e);
        }
    }

    private void writeTogether(Journal to, int nid, long[] cids, long[] addresses, long[] lengths, long bytes) {
        final long[] left = abandoned;
        final long record = to.claim(nid, cids.length, bytes);
        boolean isCommitted = false;
        try {
            long after = 0;
            for (int i = 0; i < cids.length; i++) {
                final int length = (int) Math.max(lengths[i], 0);
                final int kind = lengths[i] == GroupChange.REMOVED ? Journal.REMOVED : Journal.PUT;
                claimed(cids[i], record, length);
                after = to.entry(record, after, cids[i], kind, length, 0);
                if (length > 0) {
                    space.memory.copyOut(addresses[i], to.memory(), after, length);
                }
                after += length;
            }
            to.commit(record, cids.length > 1);
            isCommitted = true;
            for (int i = 0; last != null && i < cids.length; i++) {
                last.whole(cids[i], record, lengths[i]);
            }
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    // ---- groups ----

    /**
     * Writes the thread's changes since the last group as one group. Returns false if there are none, or if the group
     * is to stay open.
     */
    public boolean endGroup() {
        if (journal == null || groups == null) {
            return false;
        }
        final ChangeGroup group = groups.get();
        if (group.isEmpty() || group.isOpen()) {
            if (group.isEmpty()) {
                group.clearImages();
            }
            return false;
        }
        try {
            final Journal own = group.journal();
            writeGroup(own == null ? journal : own, group);
            group.forEachRemoved(cid -> space.giveBackId(zone, cid));   // after a failure the indexes stay unused
        } finally {
            group.clear();
        }
        return true;
    }

    /**
     * Has another journal record the thread's groups from now on.
     *
     * @param other passes each call on to the journal of the store; null for the journal of the store
     */
    public void recordGroupsBy(@Nullable Journal other) {
        if (groups != null) {
            groups.get().journal(other);
        }
    }

    /** Sets whether {@link #endGroup} leaves the thread's group open. */
    public void setOpen(boolean isOpen) {
        if (groups != null) {
            groups.get().setOpen(isOpen);
        }
    }

    private void writeGroup(Journal to, ChangeGroup group) {
        final int count = group.sort();
        for (int from = 0; from < count; ) {
            long bytes = 0;
            int end = from;
            for (; end < count; end++) {
                final long length = group.length(end, measure(to, group.cid(end)));
                if (bytes + length > to.recordBytesMax(end + 1 - from)) {
                    break;                                      // the group is too large for one record
                }
                bytes += length;
            }
            if (!writePart(to, group, from, end, bytes)) {
                for (int i = from; i < end; i++) {              // another thread changed a chunk of the collection
                    writeSeparately(to, group.cid(i), group.removedAt(group.cid(i)));
                }
            }
            from = end;
        }
    }

    /** Returns the length of a chunk to write. Writes a long chunk itself, and returns {@code WRITTEN} for it. */
    private long measure(Journal to, long cid) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            final long length = lengthOf(kind(cid, word), word);
            if (length <= Journal.CONTENT_BYTES_MAX) {
                return length;
            }
        } finally {
            space.stripes.leave(stripe);
        }
        holdAndWrite(to, cid);
        return ChangeGroup.WRITTEN;
    }

    /**
     * Writes a part of a group as one record. Returns false if another thread has changed a chunk's length since it was
     * measured, or has removed the chunk.
     */
    private boolean writePart(Journal to, ChangeGroup group, int from, int end, long bytes) {
        final int entries = group.unwrittenCount(from, end);
        if (entries == 0) {
            return true;
        }
        to.awaitRoom(entries, bytes);
        final int stripes = group.collectStripes(from, end, space.stripes);
        int entered = 0;
        try {
            for (; entered < stripes; entered++) {
                space.stripes.enter(group.stripe(entered));
            }
            checkNotDropped();
            if (!isMeasured(group, from, end)) {
                return false;
            }
            writePartInside(to, group, from, end, compare(group, from, end));
            return true;
        } catch (InternalError e) {
            throw to.memoryFailed(e);
        } finally {
            for (int i = 0; i < entered; i++) {
                space.stripes.leave(group.stripe(i));
            }
        }
    }

    /**
     * Throws if the zone was dropped: a zone of the same number may exist since then, and the group has not changed it.
     * Runs inside a stripe, so no such zone becomes visible before the stripe is left.
     */
    private void checkNotDropped() {
        if (zone.isDropped()) {
            throw new ZoneDroppedException(zone.nid());
        }
    }

    private boolean isMeasured(ChangeGroup group, int from, int end) {
        for (int i = from; i < end; i++) {
            final long cid = group.cid(i);
            final long word = space.word(cid);
            final int kind = kind(cid, word);
            if (group.length(i) != ChangeGroup.WRITTEN && (group.length(i) != lengthOf(kind, word)
                || kind == Journal.REMOVED && group.removedAt(cid) == 0)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds the chunks of a part that are written as bytes, and returns the bytes of all contents. A chunk that a
     * thread holds is written as a whole: its holder may record the chunk at this moment.
     */
    private long compare(ChangeGroup group, int from, int end) {
        long contents = 0;
        for (int i = from; i < end; i++) {
            final int found = compare(group, i);
            contents += found == ContentDiff.TOO_MUCH ? Math.max(group.length(i), 0) : found;
        }
        return contents;
    }

    private int compare(ChangeGroup group, int index) {
        final LastRecords records = last;
        final long word = space.word(group.cid(index));
        return records == null || EntryWord.state(word) != EntryWord.PLAIN || group.length(index) <= 0
            ? group.writeWhole(index)
            : group.compare(index, records, space.memory, EntryWord.address(word), (int) group.length(index));
    }

    private void writePartInside(Journal to, ChangeGroup group, int from, int end, long bytes) {
        final long[] left = abandoned;
        final int entries = group.unwrittenCount(from, end);
        final long record = to.claim(zone.nid(), entries, bytes);
        boolean isCommitted = false;
        try {
            long after = 0;
            for (int i = from; i < end; i++) {
                if (group.length(i) != ChangeGroup.WRITTEN) {
                    after = writeEntry(to, record, after, i, group);
                }
            }
            to.commit(record, entries > 1);
            isCommitted = true;
            openAll(group, from, end, record);
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    /** Writes one entry; returns the offset behind its content. */
    private long writeEntry(Journal to, long record, long after, int index, ChangeGroup group) {
        final long cid = group.cid(index);
        final long word = space.word(cid);
        final int kind = kind(cid, word);
        final long length = lengthOf(kind, word);
        claimed(cid, record, length);
        if (last != null && group.isOfBytes(index)) {
            final ContentDiff diff = group.diffOf(index);
            final long at = to.entry(record, after, cid, Journal.BYTES, diff.contentBytes(), 0);
            diff.write(space.memory, EntryWord.address(word), (int) length, group.predecessor(index), to.memory(), at);
            return at + diff.contentBytes();
        }
        final long number = kind == Journal.REMOVED ? group.removedAt(cid) : 0;
        final long at = to.entry(record, after, cid, kind, (int) length, number);
        copyOut(to, at, word, length);
        return at + length;
    }

    /** Lets bytes follow the entries of a committed group; called inside the stripes. */
    private void openAll(ChangeGroup group, int from, int end, long record) {
        for (int i = from; last != null && i < end; i++) {
            final long cid = group.cid(i);
            final long word = space.word(cid);
            if (group.isOfBytes(i)) {
                last.bytes(cid, record, group.diffOf(i).contentBytes());
            } else if (group.length(i) > 0 && EntryWord.state(word) == EntryWord.PLAIN) {
                last.whole(cid, record, group.length(i));
            }
        }
    }

    // ---- bytes of chunks ----

    private void claimed(long cid, long number, long length) {
        if (last != null) {
            last.claimed(cid, number, length);
        }
    }

    /** Lets bytes follow a record of the whole chunk, made by the one thread that may change the chunk. */
    private void opened(long cid, long word, long number) {
        if (last != null && number != 0 && kind(cid, word) == Journal.PUT) {
            last.whole(cid, number, space.chunks.length(word));
        }
    }

    private void close(long cid) {
        if (last != null) {
            last.close(cid);
        }
    }

    /**
     * Notes that a chunk is about to be changed by the thread's group, inside the chunk's stripe or under a hold. Takes
     * an image of the content, unless the group has changed the chunk already.
     */
    public void beforeChange(long cid, long word) {
        if (last == null || groups == null) {
            return;
        }
        final long length = space.chunks.length(word);
        final ChangeGroup group = groups.get();
        if (length >= LastRecords.CHUNK_BYTES_MIN && group.isToImage(cid, length)) {
            final long number = last.of(cid);
            if (number != LastRecords.NONE) {
                group.takeImage(cid, number, space.memory, EntryWord.address(word), (int) length);
            }
        }
    }

    /** Returns the log of bytes of single chunks, or null if the journal takes none, or changes are grouped. */
    @Nullable BytesLog bytes() {
        return bytes;
    }

    /**
     * Records a chunk that may have been changed through the address of a pin that is about to end; returns whether it
     * was recorded. A read-only chunk was recorded when it was sealed.
     */
    public boolean recordPinned(long cid) {
        if (journal == null || journal.isReadOnly()) {
            return false;
        }
        for (long length = pinnedLength(cid); length >= 0; length = pinnedLength(cid)) {
            if (isHeldToRecord(length)) {
                space.beginRunning();
                try {
                    holdAndWrite(journal, cid);
                } finally {
                    space.endRunning();
                }
                return true;
            }
            journal.awaitRoom(1, length);
            if (writePinned(journal, cid, length)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the length of a chunk if it is pinned and may be changed, else -1. */
    private long pinnedLength(long cid) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            return space.locks.isPinnedInside(cid) && kind(cid, word) == Journal.PUT ? space.chunks.length(word) : -1;
        } finally {
            space.stripes.leave(stripe);
        }
    }

    /**
     * Writes a chunk whose pin is about to end. Returns false if the chunk's length has changed since it was measured,
     * which is possible only if the calling thread's pin does not exist.
     */
    private boolean writePinned(Journal to, long cid, long length) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            if (kind(cid, word) != Journal.PUT || space.chunks.length(word) != length) {
                return false;
            }
            writeInside(to, cid, word, 0);
            return true;
        } finally {
            space.stripes.leave(stripe);
        }
    }

    /**
     * Writes a chunk of a group as a record of its own. A chunk removed by another thread is left out, because the
     * index may be in use again.
     */
    private void writeSeparately(Journal to, long cid, long removedAt) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            checkNotDropped();
            final long word = space.word(cid);
            if (removedAt != 0 || kind(cid, word) != Journal.REMOVED) {
                writeInside(to, cid, word, removedAt);
            }
        } finally {
            space.stripes.leave(stripe);
        }
    }

    // ---- long chunks: held while they are recorded, so that no thread waits for the record inside a stripe ----

    /** Returns whether a chunk of that length must be held while it is recorded. */
    public boolean isHeldToRecord(long length) {
        return length > Thresholds.OPTIMISTIC_BYTES_MAX && journal != null && groups == null;
    }

    /**
     * Returns whether a chunk must be held while it is recorded. A change that will be recorded as bytes needs no hold.
     *
     * @param changedBytes number of bytes that are about to change, {@link Long#MAX_VALUE} for all
     */
    public boolean isLong(long cid, long changedBytes) {
        if (journal == null || groups != null || EntryWord.length(space.word(cid)) != EntryWord.LENGTH_IN_FRONT) {
            return false;
        }
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            return isHeldToRecord(lengthOf(kind(cid, word), word))
                && (bytes == null || !bytes.hasRoom(cid, changedBytes));
        } finally {
            space.stripes.leave(stripe);
        }
    }

    /**
     * Holds the chunk if it is long. Must be called after {@link #begin} by a change that works inside the stripe.
     *
     * @param changedBytes as for {@link #isLong}
     * @return the value to pass to {@link #recordChange(long, int)} and {@link #unhold}, or a status
     */
    public int hold(long cid, long changedBytes) {
        if (!isLong(cid, changedBytes)) {
            return NOT_HELD;
        }
        space.beginRunning();
        int held = Status.LOCKED;
        try {
            held = space.hold(cid, true, space.config.lockTimeoutNs());
            return held;
        } finally {
            if (held < 0) {
                space.endRunning();
            }
        }
    }

    /**
     * Notes, inside the chunk's stripe, that bytes of a chunk are about to be changed; {@link #recordBytes} follows.
     *
     * @return the number of the record before, or {@link LastRecords#NONE} if the chunk is to be recorded as a whole
     */
    long beforeBytes(long cid) {
        return bytes == null ? LastRecords.NONE : bytes.before(cid);
    }

    /**
     * Records bytes of a chunk, or the whole chunk, inside its stripe, unless {@link #unhold} will record it.
     *
     * @param cid the chunk, which no other thread holds
     * @param before result of {@link #beforeBytes}
     * @param offset of the first changed byte
     * @param length number of changed bytes, above 0
     * @param held result of {@link #hold}
     */
    void recordBytes(long cid, long before, long offset, long length, int held) {
        if (held == NOT_HELD) {
            recordBytes(cid, before, offset, length);
        }
    }

    /** Records bytes of a chunk, or the whole chunk, inside its stripe. */
    void recordBytes(long cid, long before, long offset, long length) {
        if (bytes == null || before == LastRecords.NONE) {
            recordChange(cid);
        } else {
            bytes.record(cid, before, offset, length);
        }
    }

    /** Records the new content of a chunk inside its stripe, unless {@link #unhold} will record it. */
    public void recordChange(long cid, int held) {
        if (held == NOT_HELD) {
            recordChange(cid);
        }
    }

    /** Records a chunk that {@link #hold} held, and ends the hold. */
    public void unhold(long cid, int held) {
        if (held != NOT_HELD) {
            try {
                recordHeld(cid);
            } finally {
                space.unhold(cid, held);
                space.endRunning();
            }
        }
    }

    /**
     * Writes a chunk under a read hold; the thread may hold the chunk already. Does nothing if another thread has
     * removed the chunk.
     */
    private void holdAndWrite(Journal to, long cid) {
        final int held = space.hold(cid, false, space.config.lockTimeoutNs());
        if (held == Status.ABSENT) {
            return;
        }
        if (held < 0) {
            throw new StoreException(Category.RETRY, "chunk " + CidLayout.toString(cid) + " refused: "
                + Status.name(held));
        }
        try {
            writeHeld(to, cid, space.word(cid));
        } finally {
            space.unhold(cid, held);
        }
    }
}
