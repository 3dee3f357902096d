package io.teff.recovery;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.Newest;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Puts what the log has of one zone into a store, in one pass and whatever the order: a newer entry ({@link Newest})
 * takes the place of what was restored before. A chain does so when all of its links are there; until then it has the
 * memory of its chunk, so one that is outdated is let go at once. On the way there may be more in the store than there
 * is in the end; where there is no memory for that, {@link ZoneRefill} takes two passes. For one thread.
 */
final class ZoneRestore implements EntryVisitor {
    private final ChunkRestorer restorer;
    private final Newest newest;
    /** By index, then by number, above the newest one that is known of the index. */
    private final Map<Long, NavigableMap<Long, Chain>> chains = new HashMap<>();

    ZoneRestore(ChunkRestorer restorer, ZoneId zone) {
        this.restorer = restorer;
        this.newest = new Newest(zone.owner(), zone.zone());
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (kind == EntryKind.LINK || kind == EntryKind.LINK_READ_ONLY) {
            if (newest.compare(cid, sequence) > 0) {
                link(cid, sequence, kind, bytes, offset, length);
            }
        } else if (newest.see(cid, sequence)) {
            discardUpTo(cid, sequence);
            switch (kind) {
                case EntryKind.REMOVED -> restorer.removed(cid);
                case EntryKind.RESERVED -> restorer.reserved(cid);
                default -> restorer.put(cid, kind == EntryKind.PUT_READ_ONLY, bytes, offset, length);
            }
        }
    }

    private void link(long cid, long sequence, int kind, MemorySegment bytes, long offset, int length) {
        final NavigableMap<Long, Chain> ofIndex = chains.computeIfAbsent(Newest.other(cid), _ -> new TreeMap<>());
        final Chain chain = ofIndex.computeIfAbsent(sequence,
            _ -> new Chain(restorer, ChainLink.chunkBytes(bytes, offset)));
        if (chain.add(bytes, offset, length)) {
            ofIndex.remove(sequence);
            newest.see(cid, sequence);
            discardUpTo(cid, sequence);
            chain.put(cid, kind == EntryKind.LINK_READ_ONLY);
        }
    }

    /** Lets go of an index's chains that something newer has come before they were whole. */
    private void discardUpTo(long cid, long sequence) {
        if (chains.isEmpty()) {
            return;
        }
        final NavigableMap<Long, Chain> ofIndex = chains.get(Newest.other(cid));
        if (ofIndex != null) {
            final NavigableMap<Long, Chain> outdated = ofIndex.headMap(sequence, true);
            outdated.values().forEach(Chain::discard);
            outdated.clear();
            if (ofIndex.isEmpty()) {
                chains.remove(Newest.other(cid));
            }
        }
    }

    /** Everything was seen: chains that are not whole count for nothing. */
    void end() {
        chains.values().forEach(ofIndex -> ofIndex.values().forEach(Chain::discard));
        chains.clear();
    }

    /** What is the newest entry of each index, of those that were seen. */
    Newest newest() {
        return newest;
    }
}
