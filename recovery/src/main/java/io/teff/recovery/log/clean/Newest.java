package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest entry of each index of a zone: the one of the highest number, and among equal numbers the one of the
 * highest generation. Only removals in groups have equal numbers: each has the number of the moment at which it was
 * made, and an index may be created and removed twice between two records. A zone has 2^20 indexes; each takes 9
 * bytes, in blocks of 9 KiB allocated on first use. A CID of another creator than the zone's owner takes some 100
 * bytes. Not thread-safe.
 */
public final class Newest {
    /** No number. All numbers of changes are greater. */
    public static final long NONE = 0;

    public static final int PART_INDEXES = 1 << 10;
    private static final int ZONE_SHIFT = 20;
    static final int PARTS = 1 << ZONE_SHIFT - 10;

    /** The newest entries of a block of consecutive indexes. */
    private static final class Part {
        private final long[] sequences = new long[PART_INDEXES];
        private final byte[] generations = new byte[PART_INDEXES];
    }

    /** A newest entry. */
    private record Entry(long sequence, int generation) {}

    private static final Entry NO_ENTRY = new Entry(NONE, 0);

    private final int owner;
    private final int zone;
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
        this.zone = zone;
    }

    /** Returns the place of a CID in the zone, or -1 if it has another creator or is outside the zone. */
    public int place(long cid) {
        return Cid.nid(cid) == owner && Cid.index(cid) >>> ZONE_SHIFT == zone
            ? (int) Cid.index(cid) & (1 << ZONE_SHIFT) - 1 : -1;
    }

    /**
     * Returns the part of a CID that all CIDs of its index share.
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

    private int generation(long cid) {
        int place = place(cid);
        if (place < 0) {
            return others.getOrDefault(other(cid), NO_ENTRY).generation;
        }
        Part part = parts[place / PART_INDEXES];
        return part == null ? 0 : Byte.toUnsignedInt(part.generations[place % PART_INDEXES]);
    }

    /**
     * Compares an entry with those seen.
     *
     * @param cid its CID
     * @param sequence its number, above {@link #NONE}
     * @return above 0 if it is newer than all of its index, 0 if it is the newest one, below 0 if it is outdated
     */
    public int compare(long cid, long sequence) {
        int order = Long.compare(sequence, of(cid));
        return order != 0 ? order : Integer.compare(Cid.generation(cid), generation(cid));
    }

    /**
     * Adds an entry.
     *
     * @param cid its CID
     * @param sequence its number, above {@link #NONE}
     * @return whether it is newer than all those seen; otherwise nothing has changed
     */
    public boolean see(long cid, long sequence) {
        boolean isNewer = compare(cid, sequence) > 0;
        if (isNewer) {
            int place = place(cid);
            if (place < 0) {
                others.put(other(cid), new Entry(sequence, Cid.generation(cid)));
            } else {
                Part part = part(place);
                part.sequences[place % PART_INDEXES] = sequence;
                part.generations[place % PART_INDEXES] = (byte) Cid.generation(cid);
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
