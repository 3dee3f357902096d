package io.teff.cluster.client;

import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.EntryRange;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The entries of some partitions of a map, which a walk reads by {@linkplain RemotePages pages}. */
final class RemoteRange<K, V> implements EntryRange<K, V> {
    /** Partitions whose pages are read at once, so that a walk keeps few pages. */
    static final int PARTITIONS_AT_ONCE = 8;

    private final RemoteMap<K, V> map;
    private final boolean hasValues;
    private int from;
    private final int until;

    RemoteRange(RemoteMap<K, V> map, boolean hasValues, int from, int until) {
        this.map = map;
        this.hasValues = hasValues;
        this.from = from;
        this.until = until;
    }

    @Override
    public @Nullable EntryRange<K, V> cut() {
        map.check();
        final int half = (until - from) / 2;
        if (half == 0) {
            return null;
        }
        from += half;
        return new RemoteRange<>(map, hasValues, from - half, from);
    }

    @Override
    public long estimate() {
        return Long.MAX_VALUE;
    }

    @Override
    public Walk<K, V> cursor() {
        return new Walk<>(map, hasValues, from, until);
    }

    /** A walk over the entries: some partitions at once, and then the next ones. */
    static final class Walk<K, V> implements EntryCursor<K, V> {
        private final RemoteMap<K, V> map;
        private final boolean hasValues;
        private final int until;
        /** The first partition that was not begun. */
        private int partition;
        private @Nullable RemotePages pages;

        Walk(RemoteMap<K, V> map, boolean hasValues, int from, int until) {
            this.map = map;
            this.hasValues = hasValues;
            this.until = until;
            partition = from;
        }

        @Override
        public boolean next() {
            while (pages == null || !pages.next()) {
                final int end = Math.min(partition + PARTITIONS_AT_ONCE, until);
                pages = null;
                if (partition == end) {
                    return false;
                }
                final RemotePartitions all = map.partitions();
                pages = new RemotePages(all.calls().batches(), all.roots(partition, end), hasValues,
                    all::walked);
                partition = end;
            }
            return true;
        }

        private RemotePages entry() {
            final RemotePages now = pages;
            if (now == null || now.keyAt() == 0) {
                throw new NoSuchElementException();
            }
            return now;
        }

        @Override
        public K key() {
            final RemotePages now = entry();
            return map.key(now.page(), now.keyAt(), now.keyLength());
        }

        @Override
        public V value() {
            final RemotePages now = entry();
            return map.value(now.page(), now.keyAt() + now.keyLength(), now.valueLength());
        }

        @Override
        public void copyValue(EncodedBytes target) {
            final RemotePages now = entry();
            target.set(now.page(), now.keyAt() + now.keyLength(), now.valueLength());
        }

        /** Returns the bytes of the key of the current entry. */
        byte[] keyBytes() {
            return entry().key();
        }

        /** Returns the bytes of the value of the current entry. */
        byte[] valueBytes() {
            return entry().value();
        }
    }
}
