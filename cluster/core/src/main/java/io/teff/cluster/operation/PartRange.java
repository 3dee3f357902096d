package io.teff.cluster.operation;

import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.collect.ServedCollection;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.raw.RawCollection;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule of a part of a sorted map: each key and each range of a request is inside of the part, or the request does
 * nothing. So no key has two owners, whatever bounds a client knows. Pure functions, called under the lock of the part.
 */
final class PartRange {
    private PartRange() {}

    /** Returns the order of the keys of a sorted map. */
    static Comparator<Object> order(RawCollection collection) {
        final Comparator<Object> known = comparator(collection);
        if (known != null) {
            return known;
        }
        return PartRange::compareNatural;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Comparator<Object> comparator(RawCollection collection) {
        return collection.content() instanceof ChunkSortedMap<?, ?> map ? (Comparator<Object>) map.comparator() : null;
    }

    @SuppressWarnings("unchecked")
    private static int compareNatural(Object left, Object right) {
        return left instanceof byte[] bytes ? Arrays.compareUnsigned(bytes, (byte[]) right)
            : ((Comparable<Object>) left).compareTo(right);
    }

    private static Object key(RawCollection collection, byte[] bytes) {
        return RawContents.key(collection, bytes, bytes.length);
    }

    /** Returns whether a key is in a part. */
    static boolean has(RangeState part, RawCollection collection, Object key) {
        final Comparator<Object> order = order(collection);
        final byte[] low = part.low();
        final byte[] high = part.high();
        return !part.isUnborn() && (low == null || order.compare(key, key(collection, low)) >= 0)
            && (high == null || order.compare(key, key(collection, high)) < 0);
    }

    private static boolean has(RangeState part, RawCollection collection, KeyRange range) {
        final byte[] low = range.low();
        final byte[] high = range.high();
        if (part.isUnborn() || low == null && part.low() != null || high == null && part.high() != null) {
            return false;
        }
        final boolean isLowInside = low == null || has(part, collection, key(collection, low));
        if (!isLowInside || high == null) {
            return isLowInside;
        }
        return !range.isHighIn() && Arrays.equals(high, part.high()) || has(part, collection, key(collection, high));
    }

    /**
     * Returns whether all keys of a request are in a part.
     *
     * @param first the first argument of the mode
     * @param content of the request
     */
    static boolean isInside(RangeState part, RawCollection collection, CollectionMode mode, long first,
                            byte[] content) {
        if (mode.change() != null) {
            return has(part, collection, RawContents.key(collection, content, (int) first));
        }
        return switch (mode) {
            case SORTED_GET -> has(part, collection, key(collection, content));
            case SORTED_GET_ALL, SORTED_DELETE_ALL -> RawContents.split(content).stream()
                .allMatch(each -> has(part, collection, key(collection, each)));
            case SORTED_SET_ALL -> hasKeys(part, collection, RawContents.split(content));
            case SORTED_PAGE, SORTED_POLL, SORTED_CLEAR, SORTED_COUNT ->
                has(part, collection, KeyRange.CODEC.read(new Input(content, 0, content.length)));
            default -> true;
        };
    }

    private static boolean hasKeys(RangeState part, RawCollection collection, List<byte[]> entries) {
        for (int i = 0; i < entries.size(); i += 2) {
            if (!has(part, collection, key(collection, entries.get(i)))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a range has exactly the entries in the tree of a part, so that their number is known. */
    static boolean isWhole(@Nullable RangeState part, KeyRange range) {
        final RangeState state = part == null ? RangeState.WHOLE : part;
        return state.isExact() && Arrays.equals(range.low(), state.low()) && Arrays.equals(range.high(), state.high())
            && (range.low() == null || range.isLowIn()) && (range.high() == null || !range.isHighIn());
    }

    /** Returns the bytes of the bounds. */
    static byte[] bytes(RangeState part) {
        final Output out = Output.growing(128);
        out.putValue(RangeState.CODEC, part);
        return out.toByteArray();
    }

    /** Returns the bytes of what the owner says about a part. */
    static byte[] answer(ServedCollection collection, long token, List<byte[]> slice) {
        final RangeState part = collection.part();
        final Output out = Output.growing(256);
        out.putValue(PartReport.CODEC, new PartReport(part == null ? RangeState.WHOLE : part,
            collection.content().content().longSize(), collection.content().content().memoryBytes(), token, slice));
        return out.toByteArray();
    }
}
