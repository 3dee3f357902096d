package io.teff.engine.chunk;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.Journal;
import io.teff.engine.memory.Memory;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Records changes of chunks in the journal; does nothing in a store without one.
 *
 * <p>A record always has the chunk's state in memory, after the change and inside its stripe. So it is right
 * whatever has happened to the chunk before, and telling it once more does no harm.
 *
 * <p>There are two of them: one tells each change at once, as a record of its own. The other, for collections, only
 * takes a note of what a thread has changed, and tells all of that as one group at {@link #endGroup}, before the
 * collection's lock is given back, so that nobody else can have changed it in between. Thread-safe.
 */
public final class ChangeLog {
    private static final int NOT_HELD = Integer.MAX_VALUE;

    private final ChunkSpace space;
    private final @Nullable Journal journal;
    /** The changes of each thread since its last group; null if each change is recorded at once. */
    private final @Nullable ThreadLocal<ChangeGroup> groups;

    private ChangeLog(ChunkSpace space, @Nullable Journal journal, @Nullable ThreadLocal<ChangeGroup> groups) {
        this.space = space;
        this.journal = journal;
        this.groups = groups;
    }

    /** Tells each change at once. */
    public static ChangeLog single(ChunkSpace space, @Nullable Journal journal) {
        return new ChangeLog(space, journal, null);
    }

    /** Tells groups of changes. */
    public ChangeLog grouped() {
        return journal == null ? this : new ChangeLog(space, journal, ThreadLocal.withInitial(ChangeGroup::new));
    }

    @Nullable Journal journal() {
        return journal;
    }

    /** Whether changes are recorded. */
    public boolean isOn() {
        return journal != null;
    }

    /** Whether each change is refused. */
    public boolean isReadOnly() {
        return journal != null && journal.isReadOnly();
    }

    // ---- around a change, holding nothing ----

    /** To be called before a change. Throws if nothing can be kept. Changes of a group ask once, before its lock. */
    void begin() {
        if (journal != null && groups == null) {
            journal.begin();
        }
    }

    /** The same in the middle of a change, before so many entries more, which are small: waits, and refuses nothing. */
    public void goOn(int entries) {
        if (journal != null && groups == null) {
            journal.awaitRoom(entries, 0);
        }
    }

    /**
     * The same, by a collection before it takes its lock. What belongs to a group that the thread has changed
     * something for already is not refused.
     */
    public void beginGroup() {
        if (journal != null && (groups == null || groups.get().isEmpty())) {
            journal.begin();
        }
    }

    /** To be called after a change, when the thread holds nothing; returns its result, which is a status or none. */
    long done(long result) {
        if (journal != null && !Status.isStatus(result)) {
            journal.done();
        }
        return result;
    }

    /** The same. */
    int done(int result) {
        return (int) done((long) result);
    }

    // ---- inside of the chunk's stripe ----

    /** A chunk or reservation has another state now. */
    public void changed(long cid) {
        if (journal != null) {
            appears(cid, space.word(cid));
        }
    }

    /** A chunk or reservation is about to have this entry, which nobody sees yet. */
    public void appears(long cid, long word) {
        if (journal != null) {
            if (groups == null) {
                tellAlone(journal, cid, word, 0);
            } else {
                groups.get().add(cid);
            }
        }
    }

    /** A chunk or reservation is about to go; whether nobody may have its index before the group is told. */
    public boolean goes(long cid) {
        if (journal != null) {
            if (groups == null) {
                tellAlone(journal, cid, 0, 0);
            } else {
                groups.get().addGone(cid, journal.now());
                return true;
            }
        }
        return false;
    }

    /** A chunk that the thread holds for itself has another content now; not inside of its stripe. */
    public void changedHeld(long cid) {
        if (journal != null && groups == null) {
            tellHeld(journal, cid, space.word(cid));
        } else {
            changed(cid);
        }
    }

    /** A chunk that the thread holds for itself has this entry now, but for the hold. */
    public void appearsHeld(long cid, long word) {
        if (journal != null) {
            tellHeld(journal, cid, word);
        }
    }

    private void tellHeld(Journal to, long cid, long word) {
        final long length = lengthOf(kind(cid, word), word);
        if (length <= Journal.CONTENT_BYTES_MAX) {
            to.awaitRoom(1, length);
        }
        tell(to, cid, word, 0, false);
    }

    /**
     * To be called in no stripe, when something of the store was read and before it is kept: close takes the memory of
     * who is in none after a while, and what is read then are zeros. What was read before a close is seen is right.
     */
    private void checkRead() {
        VarHandle.acquireFence();
        space.stripes.checkOpen();
    }

    /** Tells of a chunk as a record; a removal has the number of when it was made, or, for 0, the record's. */
    private void tellAlone(Journal to, long cid, long word, long goneAt) {
        tell(to, cid, word, goneAt, true);
    }

    private void tell(Journal to, long cid, long word, long goneAt, boolean isInside) {
        final int kind = kind(cid, word);
        final long length = lengthOf(kind, word);
        if (length > Journal.CONTENT_BYTES_MAX) {
            tellLong(to, cid, kind, word, length);
            return;
        }
        final long record = to.claim(1, length);
        boolean isWritten = false;
        try {
            final long number = kind == Journal.REMOVED ? goneAt : 0;
            copyOut(to, to.entry(record, 0, cid, kind, (int) length, number), word, length);
            if (!isInside) {
                checkRead();
            }
            isWritten = true;
        } finally {
            end(to, record, isWritten, false);
        }
    }

    private static void end(Journal to, long record, boolean isWritten, boolean isGroup) {
        if (isWritten) {
            to.commit(record, isGroup);
        } else {
            to.abandon(record);
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

    private void tellLong(Journal to, long cid, int kind, long word, long length) {
        final Memory memory = space.memory;
        final long address = EntryWord.address(word);
        to.putLong(cid, kind, length, (long from, MemorySegment target, long at, long bytes) -> {
            memory.copyOut(address + from, target, at, bytes);
            checkRead();
        });
    }

    // ---- groups ----

    /** Tells what the thread has changed since it did so last, as one record; whether there was something. */
    public boolean endGroup() {
        if (journal == null || groups == null) {
            return false;
        }
        final ChangeGroup touched = groups.get();
        if (touched.isEmpty() || touched.isOpen()) {
            return false;
        }
        try {
            tellGroup(journal, touched);
            touched.forEachGone(space::giveBackId);              // after a failure nobody gets them: no record has them
        } finally {
            touched.clear();
        }
        return true;
    }

    /** Sets whether the thread's group stays open when a lock is released. */
    public void setOpen(boolean isOpen) {
        if (groups != null) {
            groups.get().setOpen(isOpen);
        }
    }

    private void tellGroup(Journal to, ChangeGroup touched) {
        final int count = touched.sort();
        for (int from = 0; from < count; ) {
            long bytes = 0;
            int end = from;
            for (; end < count; end++) {
                final long length = touched.length(end, measure(to, touched.cid(end)));
                if (bytes + length > to.recordBytesMax(end + 1 - from)) {
                    break;                                      // so large a group is kept in parts
                }
                bytes += length;
            }
            if (!tellRecord(to, touched, from, end, bytes)) {
                for (int i = from; i < end; i++) {              // somebody changed what is the collection's alone
                    tellLate(to, touched.cid(i), touched.goneAt(touched.cid(i)));
                }
            }
            from = end;
        }
    }

    /** Length of a chunk that is to be told; what is long is told at once, and 0. */
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
        tellHeld(to, cid);
        return ChangeGroup.TOLD;
    }

    /**
     * Tells a part of a group as one record; false if a chunk has another length than was measured, or was removed by
     * somebody else.
     */
    private boolean tellRecord(Journal to, ChangeGroup touched, int from, int end, long bytes) {
        final int entries = touched.untold(from, end);
        if (entries == 0) {
            return true;
        }
        to.awaitRoom(entries, bytes);
        final int stripes = touched.findStripes(from, end, space.stripes);
        int entered = 0;
        try {
            for (; entered < stripes; entered++) {
                space.stripes.enter(touched.stripe(entered));
            }
            return isMeasured(touched, from, end) && tellInside(to, touched, from, end, to.claim(entries, bytes));
        } finally {
            for (int i = 0; i < entered; i++) {
                space.stripes.leave(touched.stripe(i));
            }
        }
    }

    private boolean isMeasured(ChangeGroup touched, int from, int end) {
        for (int i = from; i < end; i++) {
            final long cid = touched.cid(i);
            final long word = space.word(cid);
            final int kind = kind(cid, word);
            if (touched.length(i) != ChangeGroup.TOLD && (touched.length(i) != lengthOf(kind, word)
                || kind == Journal.REMOVED && touched.goneAt(cid) == 0)) {
                return false;
            }
        }
        return true;
    }

    private boolean tellInside(Journal to, ChangeGroup touched, int from, int end, long record) {
        boolean isWritten = false;
        int entries = 0;
        try {
            long after = 0;
            for (int i = from; i < end; i++) {
                if (touched.length(i) != ChangeGroup.TOLD) {
                    after = tellEntry(to, record, after, touched.cid(i), touched);
                    entries++;
                }
            }
            isWritten = true;
        } finally {
            end(to, record, isWritten, entries > 1);
        }
        return true;
    }

    /** Where the entry ends. */
    private long tellEntry(Journal to, long record, long after, long cid, ChangeGroup touched) {
        final long word = space.word(cid);
        final int kind = kind(cid, word);
        final long length = lengthOf(kind, word);
        final long number = kind == Journal.REMOVED ? touched.goneAt(cid) : 0;
        final long at = to.entry(record, after, cid, kind, (int) length, number);
        copyOut(to, at, word, length);
        return at + length;
    }

    /**
     * Tells of a chunk that may have been changed through the address of a pin that is about to end; returns whether it
     * did. One that never changes again was told of when it was sealed.
     */
    public boolean tellPinned(long cid) {
        if (journal == null || journal.isReadOnly()) {
            return false;
        }
        for (long length = pinnedLength(cid); length >= 0; length = pinnedLength(cid)) {
            if (takesLong(length)) {
                space.beginRunning();
                try {
                    tellHeld(journal, cid);
                } finally {
                    space.endRunning();
                }
                return true;
            }
            journal.awaitRoom(1, length);
            if (tellPinned(journal, cid, length)) {
                return true;
            }
        }
        return false;
    }

    /** Length of a chunk that is pinned and may be changed; else -1. */
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

    /** False if the chunk has another length now, as it was pinned by others only. */
    private boolean tellPinned(Journal to, long cid, long length) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            if (kind(cid, word) != Journal.PUT || space.chunks.length(word) != length) {
                return false;
            }
            tellAlone(to, cid, word, 0);
            return true;
        } finally {
            space.stripes.leave(stripe);
        }
    }

    /** Tells of a chunk of a group; of one that somebody else has removed nothing: the index may have another now. */
    private void tellLate(Journal to, long cid, long goneAt) {
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            if (goneAt != 0 || kind(cid, word) != Journal.REMOVED) {
                tellAlone(to, cid, word, goneAt);
            }
        } finally {
            space.stripes.leave(stripe);
        }
    }

    // ---- long chunks: held while they are recorded, so that no thread waits for that inside a stripe ----

    /** Whether recording content of a length takes long. */
    public boolean takesLong(long length) {
        return length > Thresholds.OPTIMISTIC_BYTES_MAX && journal != null && groups == null;
    }

    /** Whether recording a chunk takes long. */
    public boolean isLong(long cid) {
        if (journal == null || groups != null || EntryWord.length(space.word(cid)) != EntryWord.LENGTH_IN_FRONT) {
            return false;
        }
        final int stripe = space.stripes.of(cid);
        space.stripes.enter(stripe);
        try {
            final long word = space.word(cid);
            return takesLong(lengthOf(kind(cid, word), word));
        } finally {
            space.stripes.leave(stripe);
        }
    }

    /**
     * Must be called after {@link #begin} by a change that works inside the stripe: holds a chunk that is long.
     *
     * @return what to give to {@link #changed(long, int)} and {@link #unhold}, or a status
     */
    public int hold(long cid) {
        if (!isLong(cid)) {
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

    /** The chunk has another content now; inside of its stripe. */
    public void changed(long cid, int held) {
        if (held == NOT_HELD) {
            changed(cid);
        }
    }

    /** Records a chunk that was held, and ends the hold. */
    public void unhold(long cid, int held) {
        if (held != NOT_HELD) {
            try {
                changedHeld(cid);
            } finally {
                space.unhold(cid, held);
                space.endRunning();
            }
        }
    }

    /** Tells a chunk that the thread may hold for itself already; of one that somebody else has removed nothing. */
    private void tellHeld(Journal to, long cid) {
        final int held = space.hold(cid, false, space.config.lockTimeoutNs());
        if (held == Status.ABSENT) {
            return;
        }
        if (held < 0) {
            throw new StoreException(Category.RETRY, "chunk " + CidLayout.toString(cid) + " refused: "
                + Status.name(held));
        }
        try {
            tellHeld(to, cid, space.word(cid));
        } finally {
            space.unhold(cid, held);
        }
    }
}
