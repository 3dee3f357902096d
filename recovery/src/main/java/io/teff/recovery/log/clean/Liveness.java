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
 *
 * <p><b>Bytes of chunks.</b> An entry of bytes lives together with all entries below it, down to the whole chunk, if it
 * is part of the newest state all of whose entries are present. An entry that follows a missing entry lives, too, while
 * it is newer than this state: the missing entry may be in a segment that cannot be read today.
 */
public final class Liveness {
    /** Marks an entry as copied, in place of its segment. */
    private static final int TAKEN = -1;

    /** The newest version of an index: the segment of its entry. */
    private record Version(int segment, int bytes) {}

    /** An entry of bytes that was seen before the entry that it follows. */
    private record Waiting(long cid, long sequence, Version version) {}

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
    private final ByteEntries ofBytes = new ByteEntries();
    /** Entries of bytes without the entry before, by index, then by the number of that entry. */
    private final Map<Long, Map<Long, Waiting>> waiting = new HashMap<>();

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
        int below = kind == EntryKind.REMOVED ? ByteEntries.NONE : find(cid, sequence, true);
        if (below != ByteEntries.NONE) {
            seeAgain(below, segment);
            return;
        }
        boolean isNewer = newest.see(cid, sequence, kind);
        if (!isNewer && (newest.compare(cid, sequence, kind) < 0 || !isDoubtful[get(cid).segment])) {
            return;
        }
        if (isNewer && newest(cid) != ByteEntries.NONE) {
            dropBytes(cid);
        } else if (!isFirst) {
            Version old = get(cid);
            liveBytes[old.segment] -= old.bytes;
        }
        put(cid, segment, entryBytes);
        liveBytes[segment] += entryBytes;
        if (isNewer && !waiting.isEmpty()) {
            seeWaiting(cid, sequence);
        }
    }

    /**
     * Adds an entry of bytes.
     *
     * @param segment number of its segment
     * @param cid its CID
     * @param sequence number of the entry
     * @param before number of the entry that it follows
     * @param entryBytes its bytes in the segment
     */
    public void seeBytes(int segment, long cid, long sequence, long before, int entryBytes) {
        final int known = find(cid, sequence, false);
        if (known != ByteEntries.NONE) {
            seeAgain(known, segment);
        } else if (newest.compare(cid, sequence, EntryKind.BYTES) > 0) {
            if (newest.isAt(cid, before)) {
                attach(cid, sequence, before, new Version(segment, entryBytes));
                if (!waiting.isEmpty()) {
                    seeWaiting(cid, sequence);
                }
            } else {
                waiting.computeIfAbsent(Newest.other(cid), _ -> new HashMap<>()).merge(before,
                    new Waiting(cid, sequence, new Version(segment, entryBytes)),
                    (first, second) -> isDoubtful[first.version.segment] ? second : first);
            }
        }
    }

    /** Counts a copy of an entry in place of the entry, if the entry is in a doubtful segment. */
    private void seeAgain(int entry, int segment) {
        final int old = ofBytes.segment(entry);
        if (isDoubtful[old]) {
            liveBytes[old] -= ofBytes.bytes(entry);
            liveBytes[segment] += ofBytes.bytes(entry);
            ofBytes.setSegment(entry, segment);
        }
    }

    private void attach(long cid, long sequence, long before, Version version) {
        final int place = newest.place(cid);
        final long index = Newest.other(cid);
        if (ofBytes.newest(place, index) == ByteEntries.NONE) {
            final Version whole = get(cid);
            ofBytes.add(place, index, before, whole.segment, whole.bytes);
        }
        ofBytes.add(place, index, sequence, version.segment, version.bytes);
        newest.see(cid, sequence, EntryKind.BYTES);
        liveBytes[version.segment] += version.bytes;
    }

    private void dropBytes(long cid) {
        for (int entry = newest(cid); entry != ByteEntries.NONE; entry = ofBytes.below(entry)) {
            liveBytes[ofBytes.segment(entry)] -= ofBytes.bytes(entry);
        }
        ofBytes.drop(newest.place(cid), Newest.other(cid));
    }

    /** Attaches what waits for a state, and drops what is outdated by it. */
    private void seeWaiting(long cid, long sequence) {
        final Map<Long, Waiting> ofIndex = waiting.get(Newest.other(cid));
        if (ofIndex == null) {
            return;
        }
        long at = sequence;
        for (Waiting next = ofIndex.remove(at); next != null; next = ofIndex.remove(at)) {
            if (!newest.isAt(next.cid, at)) {
                break;
            }
            attach(next.cid, next.sequence, at, next.version);
            at = next.sequence;
        }
        ofIndex.values().removeIf(it -> newest.compare(it.cid, it.sequence, EntryKind.BYTES) <= 0);
        if (ofIndex.isEmpty()) {
            waiting.remove(Newest.other(cid));
        }
    }

    /** Returns the newest entry of bytes of an index, or NONE if its newest state is a whole chunk. */
    private int newest(long cid) {
        return ofBytes.isUsed() ? ofBytes.newest(newest.place(cid), Newest.other(cid)) : ByteEntries.NONE;
    }

    private int find(long cid, long sequence, boolean isWhole) {
        return ofBytes.isUsed() ? ofBytes.find(newest.place(cid), Newest.other(cid), sequence, isWhole)
            : ByteEntries.NONE;
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
     * Ends the adding: complete chains replace older versions; links of incomplete chains are kept unless outdated, as
     * is what follows a missing entry.
     */
    public void end() {
        endChains();
        waiting.values().forEach(ofIndex -> ofIndex.values().forEach(it ->
            liveBytes[it.version.segment] += it.version.bytes));
    }

    private void endChains() {
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
     * @return false if another entry of this index is newer, unless it is bytes that need this entry
     */
    public boolean isLive(long cid, long sequence, int kind) {
        return newest.compare(cid, sequence, kind) >= 0
            || kind != EntryKind.REMOVED && find(cid, sequence, kind != EntryKind.BYTES) != ByteEntries.NONE;
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
        int known = kind == EntryKind.REMOVED ? ByteEntries.NONE : find(cid, sequence, kind != EntryKind.BYTES);
        if (known != ByteEntries.NONE) {
            boolean isToTake = isToTake(segment, new Version(ofBytes.segment(known), 0));
            if (isToTake) {
                ofBytes.setSegment(known, TAKEN);
            }
            return isToTake;
        }
        if (kind == EntryKind.BYTES) {
            return takeWaiting(segment, cid, sequence);
        }
        Version version = get(cid);
        boolean isTaken = isToTake(segment, version);
        if (isTaken) {
            put(cid, TAKEN, version.bytes);
        }
        return isTaken;
    }

    /**
     * Returns whether an entry is a part of a newest state that consists of several entries: the whole chunk, or bytes.
     *
     * @param cid its CID
     * @param sequence its number
     * @param kind of the entry
     * @return whether it is
     */
    boolean isPart(long cid, long sequence, int kind) {
        return kind != EntryKind.REMOVED && find(cid, sequence, kind != EntryKind.BYTES) != ByteEntries.NONE;
    }

    /**
     * Returns the number of entries of the newest state that an entry is a part of.
     *
     * @param isIn whether a segment is one of some segments
     * @return their number, or 0 if one of them is in none of these segments, or is taken already
     */
    int partsIn(long cid, long sequence, int kind, boolean[] isIn) {
        int count = 0;
        for (int entry = isPart(cid, sequence, kind) ? newest(cid) : ByteEntries.NONE; entry != ByteEntries.NONE;
             entry = ofBytes.below(entry)) {
            final int segment = ofBytes.segment(entry);
            if (segment == TAKEN || !isIn[segment]) {
                return 0;
            }
            count++;
        }
        return count;
    }

    private boolean takeWaiting(int segment, long cid, long sequence) {
        for (Map.Entry<Long, Waiting> it : waiting.getOrDefault(Newest.other(cid), Map.of()).entrySet()) {
            final Waiting known = it.getValue();
            if (known.sequence == sequence && isToTake(segment, known.version)) {
                it.setValue(new Waiting(cid, sequence, new Version(TAKEN, known.version.bytes)));
                return true;
            }
        }
        return false;
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
