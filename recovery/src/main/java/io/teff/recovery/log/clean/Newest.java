package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest entry of each index of a zone: the entry of the highest number, compared as unsigned; among equal numbers
 * a removal, and among equal numbers of removals the removal of the highest generation. Only removals in groups have
 * numbers of other entries. Such a removal has the number of the moment of the removal. In a cluster this is the number
 * of the record before, and an index may be created and removed twice between two records. A zone has 2^20 indexes;
 * each takes 9 bytes and a bit, in blocks of 9 KiB allocated on first use. A CID of another creator than the zone's
 * owner takes some 100 bytes. Not thread-safe.
 */
public final class Newest {
    /** No number; no change has it. */
    public static final long NONE = 0;

    public static final int PART_INDEXES = 1 << 10;
    private static final int ZONE_SHIFT = 20;
    static final int PARTS = 1 << ZONE_SHIFT - 10;
    private static final int WORD_SHIFT = 6;

    /** The newest entries of a block of consecutive indexes. */
    private static final class Part {
        private final long[] sequences = new long[PART_INDEXES];
        private final byte[] generations = new byte[PART_INDEXES];
        private final long[] removals = new long[PART_INDEXES >>> WORD_SHIFT];

        int isRemoval(int at) {
            return (int) (removals[at >>> WORD_SHIFT] >>> at) & 1;
        }

        void put(int at, long cid, long sequence, int kind) {
            sequences[at] = sequence;
            generations[at] = (byte) Cid.generation(cid);
            final long bit = 1L << at;
            removals[at >>> WORD_SHIFT] = removals[at >>> WORD_SHIFT] & ~bit | (kind == EntryKind.REMOVED ? bit : 0);
        }
    }

    /** A newest entry. */
    private record Entry(long sequence, int generation, int isRemoval) {}

    private static final Entry NO_ENTRY = new Entry(NONE, 0, 0);

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
        int isRemoval = kind == EntryKind.REMOVED ? 1 : 0;
        if (place < 0) {
            Entry entry = others.getOrDefault(other(cid), NO_ENTRY);
            return isRemoval != entry.isRemoval ? isRemoval - entry.isRemoval
                : Integer.compare(Cid.generation(cid), entry.generation);
        }
        Part part = part(place);
        int at = place % PART_INDEXES;
        return isRemoval != part.isRemoval(at) ? isRemoval - part.isRemoval(at)
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
                others.put(other(cid), new Entry(sequence, Cid.generation(cid), kind == EntryKind.REMOVED ? 1 : 0));
            } else {
                part(place).put(place % PART_INDEXES, cid, sequence, kind);
            }
        }
        return isNewer;
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
