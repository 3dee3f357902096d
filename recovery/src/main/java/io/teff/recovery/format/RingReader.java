package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Reads the ring that a process has left. For one thread.
 *
 * <p><b>Holes.</b> A thread that died between claiming room and committing leaves a hole of unknown length. If the
 * process was killed, everything else ever stored is present, and records behind the hole were acknowledged, so the
 * reader looks for a record at each multiple of 8 behind the hole, up to a lap. No false record is found: a record of
 * an earlier lap has the stamp of another position, and payload would have to match 64 bits of stamp and 32 of
 * checksum.
 *
 * <p><b>Damage.</b> The stamp is the last store of a record. So after a kill a correct stamp before a wrong checksum is
 * damage, and so is a correct checksum behind a stamp with a single wrong bit: bytes older than the record are never so
 * close to the stamp.
 *
 * <p><b>Cost.</b> Linear in the length of the ring, for any content: bytes may claim to be a long record at each
 * multiple of 8, so the search ends after a fixed multiple of the file's bytes. No process leaves such a ring; its rest
 * is damage.
 *
 * <p>After a power cut any page may be missing, so a record behind a hole may depend on a lost one. Then no record
 * behind the hole counts.
 *
 * <p>All records that count begin within a lap from the drained mark, because room is only claimed up to the end of
 * this lap. Records behind a hole keep their stamps, so no position of the lap is used again: a restart begins a lap
 * behind the mark.
 */
public final class RingReader {
    /** How the process that wrote the ring has ended. */
    public enum End {
        /** The machine kept running: every store is present. */
        KILLED,
        /** Unknown: any page may be old. */
        POWER_CUT
    }

    /** In vain checksums are taken of this many times the bytes of the file. */
    private static final int SEARCH_FACTOR = 8;
    /** More damaged records are not listed, nor looked for. */
    private static final int DAMAGE_MAX = 1000;

    private final FileWindow file;
    private final long salt;
    private final long capacity;
    private final List<Damage> damage = new ArrayList<>();
    /** Bytes of which checksums were taken in vain. */
    private long vainBytes;

    /**
     * Reads a ring that is not being written.
     *
     * @param file head and ring, mapped or read, possibly cut; not an array of bytes
     * @param salt of the log
     * @param capacity of the ring, from its head
     */
    public RingReader(MemorySegment file, long salt, long capacity) {
        this(new FileWindow(file), salt, capacity);
    }

    /**
     * Reads a ring that is not being written, and need not be in memory as a whole.
     *
     * @param file head and ring, possibly cut
     * @param salt of the log
     * @param capacity of the ring, from its head
     */
    public RingReader(FileWindow file, long salt, long capacity) {
        this.file = file;
        this.salt = salt;
        this.capacity = capacity;
    }

    /**
     * Shows all records that count, by position.
     *
     * @param start result of {@link DrainedMark#read}
     * @param end how the writing process has ended
     * @param visitor receives each record as a whole
     * @return position behind the last record; the start if there is none
     */
    public long read(long start, End end, EntryVisitor visitor) {
        return read(start, end, _ -> true, visitor);
    }

    /**
     * Shows all records that count, by position; after a power cut the records before the first record with an unknown
     * zone.
     *
     * @param start result of {@link DrainedMark#read}
     * @param end how the writing process has ended
     * @param isKnown returns whether a zone is known
     * @param visitor receives each record as a whole
     * @return position behind the last record; the start if there is none
     */
    public long read(long start, End end, Predicate<ZoneId> isKnown, EntryVisitor visitor) {
        final Names names = new Names(isKnown);
        final long stop = start + capacity;
        damage.clear();
        vainBytes = 0;
        long last = start;
        long position = start;
        while (position < stop) {
            final long lapRest = RingRecord.room(position, capacity);
            final long at = RingRecord.offset(position, capacity);
            if (lapRest < RingRecord.HEAD_BYTES) {
                position += lapRest;
                continue;
            }
            final long room = Math.min(Math.min(lapRest, stop - position), file.size() - at);
            final int wrongBits = room < RingRecord.HEAD_BYTES ? Long.SIZE
                : Long.bitCount(file.getLongAcquire(at) ^ Stamp.of(position, salt));
            final int bytes = wrongBits == 0 ? wholeRecord(at, room) : 0;
            if (bytes > 0 && end == End.POWER_CUT) {
                file.show(at, bytes, position, names);
                if (names.hasUnknown) {
                    break;
                }
            }
            if (bytes > 0) {
                file.show(at, bytes, position, visitor);
                position += RingRecord.roomOf(file.getInt(at + RingRecord.LENGTH_AT), position, capacity);
                last = position;
            } else if (end == End.KILLED) {
                checkHole(at, room, wrongBits);
                if (vainBytes > SEARCH_FACTOR * file.size() || damage.size() >= DAMAGE_MAX) {
                    damage.add(new Damage(at, room, "there are more damaged records than are looked for"));
                    break;
                }
                position += RingRecord.ALIGNMENT;
            } else {
                break;
            }
        }
        return last;
    }

    /**
     * Returns whether all bytes that a killed process has written up to the drained mark are gone, as in a file filled
     * up with zeros.
     *
     * <p>There is no false alarm, for records of any length and any number of uncommitted records. A process begins at
     * the ring's begin, and no record lies across the ring's end, so each lap has a record at the ring's begin. The
     * stamp there of the lap of the mark, or of the lap before if the mark is where a lap ends, is overwritten by
     * nothing but the commit of the next lap's first record: this record begins at the same place, and its stamp is
     * stored last. Then the record is behind the mark.
     *
     * @param begin first position of the process, a multiple of the capacity
     * @param mark the drained position
     * @param last result of {@link #read}
     * @return whether there should be a record, and is none
     */
    public boolean isEmptied(long begin, long mark, long last) {
        if (mark <= begin || last > mark) {
            return false;
        }
        for (long position = Math.max(begin, mark - capacity); position < mark; position += RingRecord.ALIGNMENT) {
            final long at = RingRecord.offset(position, capacity);
            if (at + Long.BYTES <= file.size()
                && file.getLongAcquire(at) == Stamp.of(position, salt)) {
                return false;
            }
        }
        return true;
    }

    /** Looks for an unknown zone in records. */
    private static final class Names implements EntryVisitor {
        private final Predicate<ZoneId> isKnown;
        private boolean hasUnknown;

        Names(Predicate<ZoneId> isKnown) {
            this.isKnown = isKnown;
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            hasUnknown |= !isKnown.test(new ZoneId(owner, zone));
        }
    }

    private int wholeRecord(long at, long room) {
        final long before = file.summedBytes();
        final int bytes = file.wholeRecord(at, room);
        vainBytes += bytes > 0 ? 0 : file.summedBytes() - before;
        return bytes;
    }

    private void checkHole(long at, long room, int wrongBits) {
        if (wrongBits == 0) {
            damage.add(new Damage(at, room, "a record that was committed here has a wrong checksum"));
        } else if (wrongBits == 1) {
            final int bytes = wholeRecord(at, room);
            if (bytes > 0) {
                damage.add(new Damage(at, bytes, "a record that was committed here has a wrong stamp"));
            }
        }
    }

    /** {@return damage that the last read has found: committed records that cannot be read} */
    public List<Damage> damage() {
        return List.copyOf(damage);
    }
}
