package io.teff.cluster.client;

import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.collect.KeyRange;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A walk over a sorted map, page by page: a page begins behind the last key of the page before. For one thread. */
final class RemoteSortedWalk<K, V> implements EntryCursor<K, V> {
    private final RemoteSortedMap<K, V> map;
    private final boolean hasValues;
    /** Most entries of the first page, or 0. */
    private int most;
    private KeyRange left;
    private Page page = new Page(1, List.of());
    private int next;
    private @Nullable PageEntry current;

    RemoteSortedWalk(RemoteSortedMap<K, V> map, KeyRange range, boolean hasValues, int most) {
        this.map = map;
        this.hasValues = hasValues;
        this.most = most;
        left = range;
    }

    @Override
    public boolean next() {
        while (next == page.entries().size()) {
            if (page.result() == 0) {
                current = null;
                return false;
            }
            page = map.page(left, hasValues, most);
            most = 0;
            next = 0;
            if (!page.entries().isEmpty()) {
                final byte[] last = page.entries().getLast().key();
                left = left.isUpwards() ? new KeyRange(last, false, left.high(), left.isHighIn(), true)
                    : new KeyRange(left.low(), left.isLowIn(), last, false, false);
            }
        }
        current = page.entries().get(next++);
        return true;
    }

    private PageEntry current() {
        final PageEntry entry = current;
        if (entry == null) {
            throw new NoSuchElementException();
        }
        return entry;
    }

    @Override
    public K key() {
        return map.key(current());
    }

    @Override
    public V value() {
        return map.value(current());
    }

    @Override
    public void copyValue(EncodedBytes target) {
        target.set(current().value(), 0, current().value().length);
    }
}
