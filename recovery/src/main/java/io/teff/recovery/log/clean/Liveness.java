package io.teff.recovery.log.clean;

import io.teff.recovery.format.EntryKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the live bytes of each segment of a zone. Is shown all entries of all segments, in any order; then queried,
 * and shown entries again that may be copied. Takes 17 bytes per index of the zone. Not thread-safe.
 *
 * <p><b>Copies.</b> An entry may be in several segments, or twice in one: a recovery writes entries again that were in
 * a segment already. Of equal entries the first seen entry is counted, and only this entry is to be copied. An entry of
 * a doubtful segment is replaced by an equal entry of any other segment.
 */
public final class Liveness {
    /** Marks an entry as copied, in place of its segment. */
    private static final int TAKEN = -1;

    /** The newest version of an index: the segment of its entry. */
    private record Version(int segment, int bytes) {}

    /** Names a chain by its CID and number. */
    private record ChainName(long cid, long sequence) {}

    /** The links of a chain seen so far. */
    private static final class Chain {
        private final @Nullable Version[] links;
        private int count;

        Chain(int links) {
            this.links = new Version[links];
        }

        void see(int link, Version version, boolean[] isDoubtful) {
            Version old = links[link];
            if (old == null || isDoubtful[old.segment]) {       // otherwise it was copied
                links[link] = version;
                count += old == null ? 1 : 0;
            }
        }

        boolean isWhole() {
            return count == links.length;
        }
    }

    private final Newest newest;
    private final long[] liveBytes;
    private final boolean[] isDoubtful;
    /** Segment and bytes of the newest version, by place in the zone. */
    private final PlaceNumbers segments = new PlaceNumbers();
    private final PlaceNumbers bytes = new PlaceNumbers();
    private final Map<Long, Version> others = new HashMap<>();
    private final Map<ChainName, Chain> chains = new HashMap<>();

    /**
     * Begins without entries.
     *
     * @param owner of the zone
     * @param zone its number
     * @param segmentCount number of segments; they are numbered from 0
     */
    public Liveness(int owner, int zone, int segmentCount) {
        newest = new Newest(owner, zone);
        liveBytes = new long[segmentCount];
        isDoubtful = new boolean[segmentCount];
    }

    /**
     * Adds an entry that is a whole version.
     *
     * @param segment number of its segment
     * @param cid its CID
     * @param sequence number of the entry; one of equal number and kind is a copy of the same entry
     * @param kind of the entry
     * @param entryBytes its bytes in the segment
     */
    public void see(int segment, long cid, long sequence, int kind, int entryBytes) {
        boolean isFirst = newest.of(cid) == Newest.NONE;
        boolean isNewer = newest.see(cid, sequence, kind);
        if (!isNewer && (newest.compare(cid, sequence, kind) < 0 || !isDoubtful[get(cid).segment])) {
            return;
        }
        if (!isFirst) {
            Version old = get(cid);
            liveBytes[old.segment] -= old.bytes;
        }
        put(cid, segment, entryBytes);
        liveBytes[segment] += entryBytes;
    }

    /**
     * Adds a link of a chain.
     *
     * @param segment number of its segment
     * @param cid CID of the chunk
     * @param sequence number of the chain
     * @param link number of the link in the chain, from 0
     * @param linkCount number of links
     * @param entryBytes its bytes in the segment
     */
    public void seeLink(int segment, long cid, long sequence, int link, int linkCount, int entryBytes) {
        chains.computeIfAbsent(new ChainName(cid, sequence), _ -> new Chain(linkCount))
            .see(link, new Version(segment, entryBytes), isDoubtful);
    }

    /**
     * Marks a segment as doubtful because it is damaged: equal entries of other segments are kept, too, and count
     * there. Must be called after the entries of this segment, before the entries of the next segment.
     *
     * @param segment number of the segment
     */
    public void doubt(int segment) {
        isDoubtful[segment] = true;
    }

    /**
     * Ends the adding: complete chains replace older versions; links of incomplete chains are kept unless outdated.
     */
    public void end() {
        chains.forEach((name, chain) -> {
            if (chain.isWhole()) {
                see(0, name.cid, name.sequence, EntryKind.LINK, 0);
            }
        });
        chains.forEach((name, chain) -> {
            if (isLive(name.cid, name.sequence, EntryKind.LINK)) {
                for (Version link : chain.links) {
                    if (link != null) {
                        liveBytes[link.segment] += link.bytes;
                    }
                }
            }
        });
    }

    private Version get(long cid) {
        int place = newest.place(cid);
        if (place < 0) {
            return others.getOrDefault(Newest.other(cid), new Version(0, 0));
        }
        return new Version(segments.get(place), bytes.get(place));
    }

    private void put(long cid, int segment, int entryBytes) {
        int place = newest.place(cid);
        if (place < 0) {
            others.put(Newest.other(cid), new Version(segment, entryBytes));
            return;
        }
        segments.set(place, segment);
        bytes.set(place, entryBytes);
    }

    // ---- after the end ----

    /**
     * Returns whether an entry must be kept.
     *
     * @param cid its CID
     * @param sequence its number
     * @param kind of the entry
     * @return false if another entry of this index is newer
     */
    public boolean isLive(long cid, long sequence, int kind) {
        return newest.compare(cid, sequence, kind) >= 0;
    }

    /**
     * Takes an entry that is a whole version, for copying.
     *
     * @param segment number of its segment
     * @param cid its CID
     * @param sequence its number
     * @param kind of the entry
     * @return false if it must not be copied: it is outdated, or an equal entry is kept or was taken
     */
    public boolean take(int segment, long cid, long sequence, int kind) {
        if (!isLive(cid, sequence, kind)) {
            return false;
        }
        Version version = get(cid);
        boolean isTaken = isToTake(segment, version);
        if (isTaken) {
            put(cid, TAKEN, version.bytes);
        }
        return isTaken;
    }

    /**
     * Takes a link of a chain, for copying.
     *
     * @param segment number of its segment
     * @param cid CID of the chunk
     * @param sequence number of the chain
     * @param link number of the link in the chain
     * @return as {@link #take}
     */
    public boolean takeLink(int segment, long cid, long sequence, int link) {
        if (!isLive(cid, sequence, EntryKind.LINK)) {
            return false;
        }
        @Nullable Version[] links = Objects.requireNonNull(chains.get(new ChainName(cid, sequence))).links;
        Version version = Objects.requireNonNull(links[link]);
        boolean isTaken = isToTake(segment, version);
        if (isTaken) {
            links[link] = new Version(TAKEN, version.bytes);
        }
        return isTaken;
    }

    private boolean isToTake(int segment, Version version) {
        return version.segment == segment || version.segment != TAKEN && isDoubtful[version.segment];
    }

    /**
     * Returns the bytes of a segment that must be kept.
     *
     * @param segment number of the segment
     * @return bytes of the segment's live entries; an entry in two segments counts in a single segment, if possible in
     *     a segment that is not doubtful
     */
    public long liveBytes(int segment) {
        return liveBytes[segment];
    }
}
