package io.teff.cluster.client;

import io.teff.cluster.MapRanges;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.collect.RangeState;
import io.teff.engine.Cid;
import java.util.ArrayList;
import java.util.List;

/** The ranges of a sorted map, as its owners have them. Thread-safe. */
final class RemoteRanges<K> implements MapRanges<K> {
    private final RemoteSortedMap<K, ?> map;
    private final SortedCalls calls;

    RemoteRanges(RemoteSortedMap<K, ?> map, SortedCalls calls) {
        this.map = map;
        this.calls = calls;
    }

    @Override
    public List<MapRange<K>> all() {
        calls.checkOpen();
        final List<MapRange<K>> all = new ArrayList<>();
        for (SortedCalls.Part part : calls.chain()) {
            final RangeState state = part.answer().state();
            final byte[] low = state.isUnborn() ? state.high() : state.low();
            all.add(new MapRange<>(low == null ? null : map.key(new PageEntry(low, low)), Cid.nid(part.calls().root()),
                part.answer().entries(), part.answer().memoryBytes(), state.isSplitting()));
        }
        return all;
    }

    @Override
    public boolean splitAt(K key) {
        return calls.split(map.keyToPut(key), true);
    }

    @Override
    public boolean split(K key) {
        return calls.split(map.key(key), false);
    }
}
