package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest entry of each index of a zone: the entry of the highest number, compared as unsigned; among equal numbers
 * a removal, then a whole chunk, then bytes of a chunk, whose state a cleaning has written as a whole; and among equal
 * numbers of removals the removal of the highest generation. Only removals in groups have
 * numbers of other entries. Such a removal has the number of the moment of the removal. In a cluster this is the number
 * of the record before, and an index may be created and removed twice between two records. A zone has 2^20 indexes;
 * each takes 9 bytes and two bits, in blocks of 9 KiB allocated on first use. A CID of another creator than the zone's
 * owner takes some 100 bytes. Not thread-safe.
 */
public final class Newest {
    /** No number; no change has it. */
    public static final long NONE = 0;

    public static final int PART_INDEXES = 1 << 10;
    private static final int ZONE_SHIFT = 20;
    static final int PARTS = 1 << ZONE_SHIFT - 10;
    private static final int WORD_SHIFT = 6;
    private static final int RANK_OF_BYTES = 0;
    private static final int RANK_OF_WHOLE = 1;
    private static final int RANK_OF_REMOVAL = 2;

    /** The newest entries of a block of consecutive indexes. */
    private static final class Part {
        private final long[] sequences = new long[PART_INDEXES];
        private final byte[] generations = new byte[PART_INDEXES];
        private final long[] removals = new long[PART_INDEXES >>> WORD_SHIFT];
        private final long[] ofBytes = new long[PART_INDEXES >>> WORD_SHIFT];

        int rank(int at) {
            return ((removals[at >>> WORD_SHIFT] >>> at) & 1) != 0 ? RANK_OF_REMOVAL
                : ((ofBytes[at >>> WORD_SHIFT] >>> at) & 1) != 0 ? RANK_OF_BYTES : RANK_OF_WHOLE;
        }

        void put(int at, long cid, long sequence, int kind) {
            sequences[at] = sequence;
            generations[at] = (byte) Cid.generation(cid);
            final long bit = 1L << at;
            removals[at >>> WORD_SHIFT] = removals[at >>> WORD_SHIFT] & ~bit | (kind == EntryKind.REMOVED ? bit : 0);
            ofBytes[at >>> WORD_SHIFT] = ofBytes[at >>> WORD_SHIFT] & ~bit | (kind == EntryKind.BYTES ? bit : 0);
        }
    }

    /** A newest entry. */
    private record Entry(long sequence, int generation, int rank) {}

    private static final Entry NO_ENTRY = new Entry(NONE, 0, RANK_OF_BYTES);

    private static int rank(int kind) {
        return kind == EntryKind.REMOVED ? RANK_OF_REMOVAL : kind == EntryKind.BYTES ? RANK_OF_BYTES : RANK_OF_WHOLE;
    }

    private final int owner;
    /** Number of the zone's range of indexes. */
    private final long range;
    private final @Nullable Part[] parts = new Part[PARTS];
    private final Map<Long, Entry> others = new HashMap<>();

    /**
     * Begins without entries.
     *
     * @param owner of the zone
     * @param zone its number
     */
    public Newest(int owner, int zone) {
        this.owner = owner;
        this.range = ZoneId.firstIndex(zone) >>> ZONE_SHIFT;
    }

    /** Returns the place of a CID in the zone, or -1 if the CID has another creator or is outside the zone. */
    public int place(long cid) {
        return Cid.nid(cid) == owner && Cid.index(cid) >>> ZONE_SHIFT == range
            ? (int) Cid.index(cid) & (1 << ZONE_SHIFT) - 1 : -1;
    }

    /**
     * Returns the common part of all CIDs of an index.
     *
     * @param cid any CID of the index
     * @return the CID without its generation
     */
    public static long other(long cid) {
        return Cid.of(Cid.nid(cid), Cid.index(cid));
    }

    /**
     * Returns the highest number seen of an index.
     *
     * @param cid any CID of the index
     * @return the number, or {@link #NONE}
     */
    public long of(long cid) {
        int place = place(cid);
        if (place < 0) {
            return others.getOrDefault(other(cid), NO_ENTRY).sequence;
        }
        Part part = parts[place / PART_INDEXES];
        return part == null ? NONE : part.sequences[place % PART_INDEXES];
    }

    /** Compares an entry with the newest entry of the same number. */
    private int compareEqual(long cid, int kind) {
        int place = place(cid);
        int rank = rank(kind);
        if (place < 0) {
            Entry entry = others.getOrDefault(other(cid), NO_ENTRY);
            return rank != entry.rank ? rank - entry.rank
                : Integer.compare(Cid.generation(cid), entry.generation);
        }
        Part part = part(place);
        int at = place % PART_INDEXES;
        return rank != part.rank(at) ? rank - part.rank(at)
            : Integer.compare(Cid.generation(cid), Byte.toUnsignedInt(part.generations[at]));
    }

    /**
     * Compares an entry with those seen.
     *
     * @param cid its CID
     * @param sequence its number, not {@link #NONE}
     * @param kind its {@link EntryKind}
     * @return above 0 if the entry is newer than all entries of its index, 0 if equal to the newest entry, below 0 if
     *     outdated
     */
    public int compare(long cid, long sequence, int kind) {
        int order = Long.compareUnsigned(sequence, of(cid));
        return order != 0 ? order : compareEqual(cid, kind);
    }

    /**
     * Adds an entry.
     *
     * @param cid its CID
     * @param sequence its number, not {@link #NONE}
     * @param kind its {@link EntryKind}
     * @return whether the entry is newer than all entries seen; otherwise nothing has changed
     */
    public boolean see(long cid, long sequence, int kind) {
        boolean isNewer = compare(cid, sequence, kind) > 0;
        if (isNewer) {
            int place = place(cid);
            if (place < 0) {
                others.put(other(cid), new Entry(sequence, Cid.generation(cid), rank(kind)));
            } else {
                part(place).put(place % PART_INDEXES, cid, sequence, kind);
            }
        }
        return isNewer;
    }

    /**
     * Returns whether the newest entry of a chunk is of this very state: the number is the same, as is the generation,
     * and the entry is no removal.
     *
     * @param cid the chunk
     * @param sequence number of the state, not {@link #NONE}
     * @return whether bytes of the chunk that follow this number can be put on the newest entry
     */
    public boolean isAt(long cid, long sequence) {
        if (sequence == NONE || of(cid) != sequence) {
            return false;
        }
        int place = place(cid);
        if (place < 0) {
            Entry entry = others.getOrDefault(other(cid), NO_ENTRY);
            return entry.rank != RANK_OF_REMOVAL && entry.generation == Cid.generation(cid);
        }
        Part part = part(place);
        int at = place % PART_INDEXES;
        return part.rank(at) != RANK_OF_REMOVAL && Byte.toUnsignedInt(part.generations[at]) == Cid.generation(cid);
    }

    private Part part(int place) {
        Part part = parts[place / PART_INDEXES];
        if (part == null) {
            part = new Part();
            parts[place / PART_INDEXES] = part;
        }
        return part;
    }
}
