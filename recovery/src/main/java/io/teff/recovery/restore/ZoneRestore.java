package io.teff.recovery.restore;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.LiveBytes;
import io.teff.recovery.log.clean.Newest;
import io.teff.recovery.log.clean.ZoneVisitor;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Restores a zone in a single pass over entries in any order: a newer entry ({@link Newest}) replaces a restored entry.
 * A chain replaces a restored entry when all links are present. Until then the chain owns memory for its chunk. An
 * outdated chain is released at once. Meanwhile the store may hold more than at the end of the pass; if there is not
 * enough memory, {@link ZoneRefill} takes two passes. For one thread.
 */
final class ZoneRestore implements ZoneVisitor {
    private final ChunkRestorer restorer;
    private final Newest newest;
    private final LiveBytes live;
    /** Chains by index, then by number, above the newest entry known of the index. */
    private final Map<Long, NavigableMap<Long, Chain>> chains = new HashMap<>();

    ZoneRestore(ChunkRestorer restorer, ZoneId zone) {
        this.restorer = restorer;
        this.newest = new Newest(zone.owner(), zone.zone());
        this.live = new LiveBytes(newest);
    }

    @Override
    public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                      int length) {
        if (kind == EntryKind.LINK || kind == EntryKind.LINK_READ_ONLY) {
            if (newest.compare(cid, sequence, kind) > 0) {
                link(cid, sequence, kind, bytes, offset, length);
            }
        } else if (newest.see(cid, sequence, kind)) {
            live.replace(cid, (long) length + SegmentWriter.ENTRY_BYTES);
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
            newest.see(cid, sequence, kind);
            live.replace(cid, chain.linkBytes());
            discardUpTo(cid, sequence);
            chain.put(cid, kind == EntryKind.LINK_READ_ONLY);
        }
    }

    /** Releases the incomplete chains of an index older than the newest entry of the index. */
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

    /** Ends the pass. Incomplete chains are dropped. */
    void end() {
        chains.values().forEach(ofIndex -> ofIndex.values().forEach(Chain::discard));
        chains.clear();
    }

    /** Returns the live entries, before the end of the pass. Links of incomplete chains count: cleaning keeps them. */
    @Override
    public Live live() {
        final long links = chains.values().stream().flatMap(ofIndex -> ofIndex.values().stream())
            .mapToLong(Chain::linkBytes).sum();
        return new Live(live.sum() + links, live.highestIndex());
    }

    /** Returns the newest entry of each index seen. */
    Newest newest() {
        return newest;
    }
}
