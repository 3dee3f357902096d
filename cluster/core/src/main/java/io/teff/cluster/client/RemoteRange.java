package io.teff.cluster.client;

import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.EntryRange;
import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of some partitions of a map. A walk asks for page after page; the place of the next page is a number that
 * each owner of the zone understands, so an owner keeps nothing of a walk.
 */
final class RemoteRange<K, V> implements EntryRange<K, V> {
    private static final int ENTRY_HEAD_BYTES = 8;

    private final RemoteMap<K, V> map;
    private int from;
    private final int until;

    RemoteRange(RemoteMap<K, V> map, int from, int until) {
        this.map = map;
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
        return new RemoteRange<>(map, from - half, from);
    }

    @Override
    public long estimate() {
        return Long.MAX_VALUE;
    }

    @Override
    public EntryCursor<K, V> cursor() {
        return new Walk<>(map, from, until);
    }

    /** A walk over the entries, page by page. */
    private static final class Walk<K, V> implements EntryCursor<K, V> {
        private final RemoteMap<K, V> map;
        private final int until;
        private int partition;
        private long place;
        private byte[] page = new byte[0];
        private MemorySegment memory = MemorySegment.ofArray(page);
        private int next;
        private int keyAt;
        private int keyLength;
        private int valueLength;

        Walk(RemoteMap<K, V> map, int from, int until) {
            this.map = map;
            this.until = until;
            partition = from;
        }

        @Override
        public boolean next() {
            while (next == page.length) {
                if (partition >= until) {
                    keyAt = 0;
                    return false;
                }
                final OperationAnswer answer = map.calls().page(map.root(partition), place);
                page = answer.bytes();
                memory = MemorySegment.ofArray(page);
                next = OperationFormat.HEAD_BYTES;
                place = answer.result();
                partition += place == 0 ? 1 : 0;
            }
            keyLength = memory.get(OperationFormat.INT, next);
            valueLength = memory.get(OperationFormat.INT, next + Integer.BYTES);
            keyAt = next + ENTRY_HEAD_BYTES;
            next = keyAt + keyLength + valueLength;
            return true;
        }

        private void requireEntry() {
            if (keyAt == 0) {
                throw new NoSuchElementException();
            }
        }

        @Override
        public K key() {
            requireEntry();
            return map.key(page, keyAt, keyLength);
        }

        @Override
        public V value() {
            requireEntry();
            return map.value(page, keyAt + keyLength, valueLength);
        }

        @Override
        public void copyValue(EncodedBytes target) {
            requireEntry();
            target.set(page, keyAt + keyLength, valueLength);
        }
    }
}
