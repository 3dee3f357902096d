package io.teff.recovery.log.read;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The contents of the files of a manifest, for a zone: the newest number of each index, and the links of the newest
 * chains. Takes the entries of a zone; entries of other zones are ignored. For one thread.
 */
final class Covered implements EntryVisitor {
    private static final int ZONE_INDEXES = 1 << 20;

    /** The links seen of the newest chain of an index. */
    private record Chain(long sequence, BitSet links) {}

    private final ZoneId zone;
    /** The newest number of each index of the zone, and of other indexes. */
    private final long[] newest = new long[ZONE_INDEXES];
    private final Map<Long, Long> others = new HashMap<>();
    /** Indexes with a removal as newest entry. A removal counts as later than another entry of the same number. */
    private final BitSet removals = new BitSet();
    private final Set<Long> otherRemovals = new HashSet<>();
    private final Map<Long, Chain> chains = new HashMap<>();
    /** Entries of bytes: the number of the entry before, by their number, by index. */
    private final Map<Long, Map<Long, Long>> ofBytes = new HashMap<>();

    Covered(ZoneId zone) {
        this.zone = zone;
    }

    private int place(long cid) {
        final long place = Cid.index(cid) - ZoneId.firstIndex(zone.zone());
        return Cid.nid(cid) == zone.owner() && place >= 0 && place < ZONE_INDEXES ? (int) place : -1;
    }

    /** Returns the common part of all CIDs of an index. */
    private static long index(long cid) {
        return Cid.of(Cid.nid(cid), Cid.index(cid));
    }

    /** Returns the newest number of an index, also of bytes. */
    private long newestOf(long cid) {
        long number = newestWhole(cid);
        for (long other : ofBytes.getOrDefault(index(cid), Map.of()).keySet()) {
            number = Long.compareUnsigned(other, number) > 0 ? other : number;
        }
        return number;
    }

    private long newestWhole(long cid) {
        final int place = place(cid);
        return place < 0 ? others.getOrDefault(index(cid), 0L) : newest[place];
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zoneNumber, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (owner != zone.owner() || zoneNumber != zone.zone()) {
            return;
        }
        if (kind == EntryKind.BYTES) {
            ofBytes.computeIfAbsent(index(cid), _ -> new HashMap<>())
                .put(sequence, ChangedBytes.predecessor(bytes, offset));
            return;
        }
        see(cid, sequence, kind == EntryKind.REMOVED);
        if (EntryKind.isLink(kind)) {
            final long index = index(cid);
            final Chain known = chains.get(index);
            final Chain chain = known != null && Long.compareUnsigned(known.sequence, sequence) >= 0 ? known
                : new Chain(sequence, new BitSet());
            chains.put(index, chain);
            if (chain.sequence == sequence) {
                chain.links.set(ChainLink.number(bytes, offset));
            }
        }
    }

    private void see(long cid, long sequence, boolean isRemoval) {
        final int place = place(cid);
        final int order = Long.compareUnsigned(sequence, newestWhole(cid));
        if (order > 0) {
            if (place < 0) {
                others.put(index(cid), sequence);
                otherRemovals.remove(index(cid));
            } else {
                newest[place] = sequence;
                removals.clear(place);
            }
        }
        if (order >= 0 && isRemoval) {
            if (place < 0) {
                otherRemovals.add(index(cid));
            } else {
                removals.set(place);
            }
        }
    }

    private boolean isRemoved(long cid) {
        final int place = place(cid);
        return place < 0 ? otherRemovals.contains(index(cid)) : removals.get(place);
    }

    /** Returns whether bytes that count follow an entry that is not present. */
    private boolean isMissing(long cid, long sequence) {
        final Map<Long, Long> known = ofBytes.get(index(cid));
        return known != null && known.containsValue(sequence) && !known.containsKey(sequence)
            && Long.compareUnsigned(sequence, newestWhole(cid)) > 0;
    }

    /** Returns a test of the entries of another file. */
    Test test() {
        return new Test();
    }

    /** Finds out whether a file has an entry newer than all entries seen, or one that bytes of these entries need. */
    final class Test implements EntryVisitor {
        private boolean isNewer;

        /** Returns whether an entry was newer. */
        boolean isNewer() {
            return isNewer;
        }

        @Override
        public void entry(long cid, long sequence, int owner, int number, int kind, MemorySegment bytes, long offset,
                          int length) {
            final long known = newestOf(cid);
            final int order = Long.compareUnsigned(sequence, known);
            if (order > 0 || order == 0 && kind == EntryKind.REMOVED && !isRemoved(cid)) {
                isNewer = true;
            } else if (isMissing(cid, sequence)) {
                isNewer = true;
            } else if (order == 0 && EntryKind.isLink(kind)) {
                final Chain chain = chains.get(index(cid));
                isNewer |= chain != null && chain.sequence == sequence
                    && !chain.links.get(ChainLink.number(bytes, offset));
            }
        }
    }
}
