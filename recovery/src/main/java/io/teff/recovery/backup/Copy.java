package io.teff.recovery.backup;

import io.teff.engine.error.StoreException;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.NumberMark;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RunLayout;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.WriteBuffer;
import io.teff.recovery.log.ZonePressure;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a copy in memory, and its way into the write buffer. Thread-safe, guarded by this object's monitor. No
 * thread waits for a device inside the monitor.
 *
 * <p><b>No hole.</b> The records of a run are committed in order, by one thread at a time, in room claimed for the
 * whole run. So after a kill all records before the last found record are present. After a power cut the records of
 * synced frames are left: the first records in the order of the write buffer.
 */
final class Copy {
    /** Result of {@link #append}. */
    enum Result {
        /** Everything is logged. */
        LOGGED,
        /** The write buffer has no room now. */
        NO_ROOM,
        /** A range of the copy must be cleaned first. */
        TO_CLEAN
    }

    private final ZoneCopy name;
    private final RunReader reader = new RunReader();
    /** Appends that may still be in the write buffer, and appends that are not on the device. */
    private final Deque<Appended> recent = new ArrayDeque<>();
    private final Deque<Appended> unsynced = new ArrayDeque<>();
    private long last;
    private long synced;
    private boolean isDropped;
    /** An append ended in the middle, so the number of its logged records is unknown. */
    private boolean isBroken;

    /** A copy with all records up to a number on the device; 0 if the copy has no record. */
    Copy(ZoneCopy name, long last) {
        this.name = name;
        this.last = last;
        this.synced = last;
    }

    /** Returns its name. */
    ZoneCopy name() {
        return name;
    }

    /** Returns the number of the last record. */
    synchronized long last() {
        return last;
    }

    /** From now on it refuses every run. */
    synchronized void drop() {
        isDropped = true;
    }

    // ---- writing ----

    /**
     * Appends the new records of a run.
     *
     * @throws IllegalArgumentException if the run cannot follow
     * @throws StoreException of category FATAL if an append has failed in the middle
     */
    synchronized Result append(WriteBuffer buffer, ZonePressure pressure, MemorySegment run, long offset,
                               long length) {
        if (isBroken) {
            throw StoreException.fatal("an append to copy " + name + " has failed in the middle");
        }
        final String problem = isDropped ? "it was dropped" : reader.check(run, offset, length, name.zone());
        if (problem != null) {
            throw refused(problem);
        }
        final int known = Math.clamp(RunLayout.counter(last) + 1 - RunLayout.counter(reader.first()), 0,
            last == 0 ? 0 : reader.recordCount());
        if (known == reader.recordCount()) {
            return Result.LOGGED;
        }
        final long bytes = ringBytes(known);
        if (bytes > buffer.recordsBytesMax()) {
            throw refused("a run of " + length + " bytes is too long for the write buffer");
        }
        if (mustWait(pressure, known)) {
            return Result.TO_CLEAN;
        }
        final long position = buffer.tryClaim(bytes);
        if (position == WriteBuffer.NO_ROOM) {
            return Result.NO_ROOM;
        }
        write(buffer, known, position, position + bytes, run);
        return Result.LOGGED;
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("copy " + name + " takes no such run: " + why);
    }

    private void skip(int records) {
        reader.rewind();
        for (int i = 0; i < records; i++) {
            reader.nextRecord();
        }
    }

    /** Returns the bytes of the new records in the ring. Refuses records that do not follow the last record. */
    private long ringBytes(int known) {
        skip(known);
        long bytes = 0;
        for (boolean isFirst = true; reader.nextRecord(); isFirst = false) {
            if (isFirst && last != 0 && (RunLayout.counter(reader.number()) != RunLayout.counter(last) + 1
                || Long.compareUnsigned(reader.number(), last) < 0)) {
                throw refused("number " + Long.toUnsignedString(reader.number()) + " does not follow "
                    + Long.toUnsignedString(last));
            }
            boolean hasNumber = false;
            long entries = 0;
            while (reader.nextEntry()) {
                entries += RingRecord.ENTRY_BYTES + reader.length();
                hasNumber |= reader.entryNumber() == reader.number();
            }
            bytes += RingRecord.bytes(entries + (hasNumber ? 0 : RingRecord.ENTRY_BYTES));
        }
        return bytes;
    }

    private boolean mustWait(ZonePressure pressure, int known) {
        if (!pressure.isOn()) {
            return false;
        }
        skip(known);
        while (reader.nextRecord()) {
            while (reader.nextEntry()) {
                if (pressure.isOn(name.zone(), ZoneId.ofCopy(name.copy(), reader.cid()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private void write(WriteBuffer buffer, int known, long from, long end, MemorySegment run) {
        skip(known);
        long at = from;
        long first = 0;
        boolean isDone = false;
        try {
            while (reader.nextRecord()) {
                first = first == 0 ? reader.number() : first;
                at = writeRecord(buffer, at, run);
            }
            note(new Appended(first, reader.last(), from, end), buffer);
            last = reader.last();
            isDone = true;
        } finally {
            if (!isDone) {                                      // an error of the JVM, such as lack of memory
                isBroken = true;
                if (at < end) {
                    buffer.leave(at, end);
                }
            }
        }
    }

    /** Writes a record and commits it. Returns the position of the next one. */
    private long writeRecord(WriteBuffer buffer, long record, MemorySegment run) {
        final long begin = buffer.firstEntry(record);
        long at = begin;
        boolean hasNumber = false;
        int zone = ZoneId.ofCopy(name.copy(), 0);
        while (reader.nextEntry()) {
            final long cid = reader.cid();
            zone = ZoneId.ofCopy(name.copy(), cid);
            at = buffer.entry(at, cid, reader.entryNumber(), name.zone(), zone, reader.kind(), reader.length());
            RunLayout.copy(run, reader.contentOffset(), buffer.memory(), at, reader.length());
            at += reader.length();
            hasNumber |= reader.entryNumber() == reader.number();
        }
        if (!hasNumber) {
            at = buffer.entry(at, NumberMark.cid(name.zone()), reader.number(), name.zone(), zone, EntryKind.REMOVED,
                0);
        }
        buffer.begin(record, at - begin);
        buffer.commit(record, reader.entryCount() + (hasNumber ? 0 : 1) > 1);
        return record + RingRecord.bytes(at - begin);
    }

    private void note(Appended appended, WriteBuffer buffer) {
        final long oldest = buffer.tail() - buffer.capacity();
        for (Appended old = recent.peek(); old != null && old.position() < oldest; old = recent.peek()) {
            recent.remove();
        }
        recent.add(appended);
        unsynced.add(appended);
        synced(buffer.drained());
    }

    // ---- what is synced ----

    /** Returns the number of the last record on the device, if the write buffer is drained up to a position. */
    synchronized long synced(long drained) {
        for (Appended next = unsynced.peek(); next != null && next.end() <= drained; next = unsynced.peek()) {
            synced = unsynced.remove().last();
        }
        return synced;
    }

    /**
     * Returns the position up to which the write buffer must be drained for a record to be on the device; 0 if it is.
     *
     * @throws IllegalArgumentException if there is no such record
     */
    synchronized long positionOf(long number) {
        if (RunLayout.counter(number) > RunLayout.counter(last)) {
            throw new IllegalArgumentException("copy " + name + " has no record "
                + Long.toUnsignedString(number));
        }
        if (RunLayout.counter(number) <= RunLayout.counter(synced)) {
            return 0;
        }
        for (Appended each : unsynced) {
            if (RunLayout.counter(each.last()) >= RunLayout.counter(number)) {
                return each.end();
            }
        }
        return 0;
    }

    // ---- the end again ----

    /** Returns the appends with all records above a number, or null if the write buffer does not have all of them. */
    synchronized @Nullable List<Appended> above(long after) {
        final long counter = RunLayout.counter(after);
        if (counter >= RunLayout.counter(last)) {
            return List.of();
        }
        final List<Appended> found = recent.stream().filter(each -> RunLayout.counter(each.last()) > counter).toList();
        return found.isEmpty() || RunLayout.counter(found.getFirst().first()) > counter + 1 ? null : found;
    }
}
