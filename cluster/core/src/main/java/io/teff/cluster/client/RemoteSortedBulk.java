package io.teff.cluster.client;

import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.operation.CollectionMode;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many entries of a sorted map: some entries in each round trip, in the order of their keys. So entries
 * of one node of the tree are in one record. Thread-safe.
 *
 * <p>A request has at most {@link CollectionMode#SORTED_MANY_MAX} entries of {@link CollectionMode#ADDED_BYTES_MAX}
 * bytes together, or one longer entry. The changes of a request are one record, and done once.
 */
final class RemoteSortedBulk<K, V> {
    private final RemoteSortedMap<K, V> map;
    private final SortedCalls calls;

    RemoteSortedBulk(RemoteSortedMap<K, V> map, SortedCalls calls) {
        this.map = map;
        this.calls = calls;
    }

    /** Takes the next keys or entries, as bytes. */
    private interface Request {
        void send(List<byte[]> parts);
    }

    /** Collects keys, or keys with values, and sends them when there are enough. */
    private static final class Collector {
        private final int each;
        private final Request request;
        private List<byte[]> parts = new ArrayList<>();
        private int bytes;

        Collector(int each, Request request) {
            this.each = each;
            this.request = request;
        }

        void add(byte[]... entry) {
            int length = 0;
            for (byte[] part : entry) {
                length += Integer.BYTES + part.length;
            }
            if (!parts.isEmpty() && bytes + length > CollectionMode.ADDED_BYTES_MAX) {
                flush();
            }
            parts.addAll(List.of(entry));
            bytes += length;
            if (parts.size() == each * CollectionMode.SORTED_MANY_MAX) {
                flush();
            }
        }

        void flush() {
            if (!parts.isEmpty()) {
                request.send(parts);
                parts = new ArrayList<>();
                bytes = 0;
            }
        }
    }

    private static byte[] content(List<byte[]> parts) {
        final Output out = Output.growing(CollectionMode.ADDED_BYTES_MAX);
        for (byte[] part : parts) {
            out.putInt(part.length);
            out.putBytes(part, 0, part.length);
        }
        return out.toByteArray();
    }

    // ---- reads ----

    Map<K, V> getAll(Collection<? extends K> wanted) {
        final Map<K, V> found = HashMap.newHashMap(wanted.size());
        final Collector collector = new Collector(1, keys -> getSome(keys, found));
        map.check();
        for (K key : wanted) {
            collector.add(map.key(Objects.requireNonNull(key)));
        }
        collector.flush();
        return found;
    }

    private void getSome(List<byte[]> keys, Map<K, V> found) {
        for (int from = 0; from < keys.size(); ) {
            final List<byte[]> left = keys.subList(from, keys.size());
            final List<NearCopies.@Nullable Read> reads = map.near().begin(left);
            final Page page = calls.page(CollectionMode.SORTED_GET_ALL, 0, 0, content(left));
            final byte[][] values = new byte[left.size()][];
            for (PageEntry entry : page.entries()) {
                final byte[] key = left.get((int) entry.number());
                values[(int) entry.number()] = entry.value();
                found.put(map.key(new PageEntry(key, key)), map.value(entry));
            }
            for (int i = 0; i < page.result(); i++) {
                map.near().ended(left.get(i), reads.get(i), values[i]);
            }
            from += (int) page.result();
        }
    }

    /** Counts the entries of a range, some at a time. */
    long count(KeyRange range) {
        long count = 0;
        KeyRange left = range;
        while (true) {
            final CollectionCalls.Counted counted = calls.count(CollectionCalls.bytes(KeyRange.CODEC, left));
            count += counted.count();
            final byte[] last = counted.last();
            if (last == null) {
                return count;
            }
            left = new KeyRange(last, false, left.high(), left.isHighIn(), true);
        }
    }

    // ---- changes ----

    void putAll(Map<? extends K, ? extends V> entries) {
        final Collector collector = new Collector(2, this::putSome);
        final List<K> keys = new ArrayList<>(entries.keySet());
        keys.sort(Comparator.nullsFirst(map.keyOrder()));
        for (K key : keys) {
            final byte[] bytes = map.keyToPut(Objects.requireNonNull(key));
            final V value = entries.get(key);
            if (value != null || entries.containsKey(key)) {    // else another thread has removed the entry
                collector.add(bytes, map.valueBytes(bytes, Objects.requireNonNull(value)));
            }
        }
        collector.flush();
    }

    /** Puts entries. An owner that has no memory in the middle says how many it has put. */
    private void putSome(List<byte[]> entries) {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < entries.size(); i += 2) {
            keys.add(entries.get(i));
        }
        for (int done = 0; done < entries.size();) {
            final byte[] left = content(entries.subList(done, entries.size()));
            done += 2 * (int) map.near().change(keys, () ->
                calls.change(CollectionMode.SORTED_SET_ALL, 0, 0, left)).result();
        }
    }

    boolean deleteEach(Collection<?> others) {
        final boolean[] isAny = new boolean[1];
        final Collector collector = new Collector(1, keys -> isAny[0] |=
            map.near().change(keys, () ->
                calls.change(CollectionMode.SORTED_DELETE_ALL, 0, 0, content(keys))).result() > 0);
        map.check();
        for (Object key : others) {
            collector.add(map.key(Objects.requireNonNull(key)));
        }
        collector.flush();
        return isAny[0];
    }
}
