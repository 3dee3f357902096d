package io.teff.recovery.log.clean;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of each of a zone's segments live. Shown all entries of all segments, in any order; then asked, and
 * shown entries again that may be copied elsewhere. Some 16 bytes for each index of the zone. Not thread-safe.
 *
 * <p><b>Copies.</b> An entry may be in several segments, or in one of them twice: a recovery writes again what was in a
 * segment already. Of equal ones that was counted which was seen first, and that alone is to be copied. One of a
 * segment that is in doubt gives way to any other.
 */
public final class Liveness {
    private static final int FIRST = 1024;
    /** In place of a segment: the entry was copied. */
    private static final int TAKEN = -1;

    /** A version of an index: where its entry is. */
    private record Version(int segment, int bytes) {}

    /** A chain, named by its CID and number. */
    private record ChainName(long cid, long sequence) {}

    /** The links of a chain that were seen. */
    private static final class Chain {
        private final @Nullable Version[] links;
        private int count;

        Chain(int links) {
            this.links = new Version[links];
        }

        void see(int link, Version version, boolean[] isDoubtful) {
            Version old = links[link];
            if (old == null || isDoubtful[old.segment]) {       // else it was copied
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
    /** By place in the zone: segment of the newest version, and its bytes. Grows to the highest place. */
    private int[] segments = new int[FIRST];
    private int[] bytes = new int[FIRST];
    private final Map<Long, Version> others = new HashMap<>();
    private final Map<ChainName, Chain> chains = new HashMap<>();

    /**
     * Begins without entries.
     *
     * @param owner of the zone
     * @param zone its number
     * @param segmentCount how many segments there are; they are numbered from 0
     */
    public Liveness(int owner, int zone, int segmentCount) {
        newest = new Newest(owner, zone);
        liveBytes = new long[segmentCount];
        isDoubtful = new boolean[segmentCount];
    }

    /**
     * Sees an entry that is all of a version.
     *
     * @param segment where it is
     * @param cid its CID
     * @param sequence its number; the same one twice is one entry that was copied
     * @param entryBytes what it takes in the segment
     */
    public void see(int segment, long cid, long sequence, int entryBytes) {
        boolean isFirst = newest.of(cid) == Newest.NONE;
        boolean isNewer = newest.see(cid, sequence);
        if (!isNewer && (newest.compare(cid, sequence) < 0 || !isDoubtful[get(cid).segment])) {
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
     * Sees a link of a chain.
     *
     * @param segment where it is
     * @param cid the chunk's
     * @param sequence number of the chain
     * @param link its number in the chain, from 0
     * @param linkCount how many there are
     * @param entryBytes what it takes in the segment
     */
    public void seeLink(int segment, long cid, long sequence, int link, int linkCount, int entryBytes) {
        chains.computeIfAbsent(new ChainName(cid, sequence), _ -> new Chain(linkCount))
            .see(link, new Version(segment, entryBytes), isDoubtful);
    }

    /**
     * Nobody relies on a segment, as it is damaged: equal entries of others are kept, too, and count there. To be said
     * when its entries were seen, before those of the next one are.
     *
     * @param segment its number
     */
    public void doubt(int segment) {
        isDoubtful[segment] = true;
    }

    /** Everything was seen: whole chains take their place, the links of others are kept unless they are outdated. */
    public void end() {
        chains.forEach((name, chain) -> {
            if (chain.isWhole()) {
                see(0, name.cid, name.sequence, 0);
            }
        });
        chains.forEach((name, chain) -> {
            if (isLive(name.cid, name.sequence)) {
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
        return new Version(segments[place], bytes[place]);
    }

    private void put(long cid, int segment, int entryBytes) {
        int place = newest.place(cid);
        if (place < 0) {
            others.put(Newest.other(cid), new Version(segment, entryBytes));
            return;
        }
        if (place >= segments.length) {
            int length = Math.max(place + 1, 2 * segments.length);
            segments = Arrays.copyOf(segments, length);
            bytes = Arrays.copyOf(bytes, length);
        }
        segments[place] = segment;
        bytes[place] = entryBytes;
    }

    // ---- after the end ----

    /**
     * Whether an entry must be kept.
     *
     * @param cid its CID
     * @param sequence its number
     * @return false if another one of its index is newer
     */
    public boolean isLive(long cid, long sequence) {
        return newest.compare(cid, sequence) >= 0;
    }

    /**
     * Takes an entry that is all of a version, to be copied.
     *
     * @param segment where it is
     * @param cid its CID
     * @param sequence its number
     * @return false if it must not be copied: it is outdated, or an equal one is kept, or was taken
     */
    public boolean take(int segment, long cid, long sequence) {
        if (!isLive(cid, sequence)) {
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
     * Takes a link of a chain, to be copied.
     *
     * @param segment where it is
     * @param cid the chunk's
     * @param sequence number of the chain
     * @param link its number in the chain
     * @return as {@link #take}
     */
    public boolean takeLink(int segment, long cid, long sequence, int link) {
        if (!isLive(cid, sequence)) {
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
     * What of a segment must be kept.
     *
     * @param segment its number
     * @return bytes of its live entries; one that is in two segments counts in one of them, if possible in one that is
     *     not in doubt
     */
    public long liveBytes(int segment) {
        return liveBytes[segment];
    }
}
