package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the ring that a process has left. For one thread.
 *
 * <p><b>Holes.</b> A thread that died between claiming room and committing leaves a hole of a length that nobody knows.
 * If the process was killed, all else that was ever stored is there, and what follows the hole was acknowledged, so the
 * reader looks for a record at each multiple of 8 behind it, as far as one lap. It finds no false one: a record of an
 * earlier lap has the stamp of another position, payload would have to hit 64 bits of stamp and 32 of checksum.
 *
 * <p><b>Damage.</b> The stamp is the last store of a record. So after a kill a right stamp in front of a wrong checksum
 * is damage, and so is a right checksum behind a stamp of which one bit is wrong: what was there before the record is
 * never so near to it.
 *
 * <p>After a power cut any page may be there or not, so what follows a hole may build on what was in it. Then nothing
 * behind it counts.
 *
 * <p>All of what counts begins within one lap from the drained mark, for room is only given away up to there. What lies
 * behind a hole keeps its stamps, so no position of that lap is ever used again: who writes after a restart begins a
 * lap behind the mark.
 */
public final class RingReader {
    /** How the process that wrote the ring has ended. */
    public enum End {
        /** The machine went on: every store is there. */
        KILLED,
        /** Nobody knows: any page may be old. */
        POWER_CUT
    }

    private final MemorySegment file;
    private final RecordReader records;
    private final long salt;
    private final long capacity;
    private final List<Damage> damage = new ArrayList<>();

    /**
     * Reads a ring in which nobody writes any more.
     *
     * @param file head and ring, mapped or read, maybe cut; not an array of bytes
     * @param salt the log's
     * @param capacity of the ring by its head
     */
    public RingReader(MemorySegment file, long salt, long capacity) {
        this.file = file;
        this.records = new RecordReader(file, new Checksum(file));
        this.salt = salt;
        this.capacity = capacity;
    }

    /**
     * Shows all records that count, by position.
     *
     * @param start what {@link DrainedMark#read} says
     * @param end how the writing process has ended
     * @param visitor is shown each record as a whole
     * @return the position behind the last record; start if there is none
     */
    public long read(long start, End end, EntryVisitor visitor) {
        final long stop = start + capacity;
        damage.clear();
        long last = start;
        long position = start;
        while (position < stop) {
            final long lapRest = RingRecord.room(position, capacity);
            final long at = RingRecord.offset(position, capacity);
            if (lapRest < RingRecord.HEAD_BYTES) {
                position += lapRest;
                continue;
            }
            final long room = Math.min(Math.min(lapRest, stop - position), file.byteSize() - at);
            final int wrongBits = room < RingRecord.HEAD_BYTES ? Long.SIZE
                : Long.bitCount(LittleEndian.getLongAcquire(file, at) ^ Stamp.of(position, salt));
            final int bytes = wrongBits == 0 ? records.wholeBytes(at, room) : 0;
            if (bytes > 0) {
                records.show(at, bytes, position, visitor);
                position += RingRecord.roomOf(LittleEndian.getInt(file, at + RingRecord.LENGTH_AT), position, capacity);
                last = position;
            } else if (end == End.KILLED) {
                checkHole(at, room, wrongBits);
                position += RingRecord.ALIGNMENT;
            } else {
                break;
            }
        }
        return last;
    }

    private void checkHole(long at, long room, int wrongBits) {
        if (wrongBits == 0) {
            damage.add(new Damage(at, room, "a record that was committed here has a wrong checksum"));
        } else if (wrongBits == 1) {
            final int bytes = records.wholeBytes(at, room);
            if (bytes > 0) {
                damage.add(new Damage(at, bytes, "a record that was committed here has a wrong stamp"));
            }
        }
    }

    /** {@return records that were committed and cannot be read, as far as that was seen by the last read} */
    public List<Damage> damage() {
        return List.copyOf(damage);
    }
}
