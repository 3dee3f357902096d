package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.hash.ChunkHashMap;
import io.teff.engine.hash.ChunkHashSet;
import io.teff.engine.os.FailureText;
import io.teff.engine.sequence.ChunkFifo;
import io.teff.engine.sequence.ChunkSegmentList;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.tree.ChunkTreeMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies collections of other codecs. A source is opened with codecs that read the values of the other codecs. A source
 * is walked and never changed.
 */
final class Migration {
    private Migration() {}

    /** A map of which all entries are shown. */
    interface Entries<K, V> {
        /** Shows each entry. */
        void forEach(BiConsumer<? super K, ? super V> action);

        /** Returns the number of entries. */
        long size();
    }

    /** Returns the fields of present keys and values that a reader by other codecs would skip. */
    static List<String> losses(NamedRoot root, Codec<?> keys, Codec<?> values) {
        List<String> losses = new ArrayList<>(losses(root.keys(), keys));
        losses.addAll(losses(root.values(), values));
        return losses;
    }

    private static List<String> losses(String written, Codec<?> codec) {
        return !codec.hasBytesOf(written) && codec.readerOf(written) instanceof Schema<?> schema ? schema.lost()
            : List.of();
    }

    /** Opens a hash map or a sorted map. */
    static <K, V> Entries<K, V> map(CollectionChunks nodes, NamedRoot root, Codec<K> keys, Codec<V> values,
                                    @Nullable Comparator<? super K> comparator) {
        Codec<V> reader = values.readerOf(root.values());
        if (root.kind() == NamedRoot.Kind.MAP) {
            return entries(ChunkHashMap.open(nodes, root.cid(), keys.readerOf(root.keys()), reader));
        }
        if (comparator != null) {
            return entries(ChunkTreeMap.open(nodes, root.cid(), keys.readerOf(root.keys()), comparator, reader));
        }
        if (keys.hasBytesOf(root.keys())) {
            return entries(ChunkTreeMap.open(nodes, root.cid(), keys, null, reader));
        }
        if (!keys.equals(Codecs.LONG) || !Codecs.INT.hasBytesOf(root.keys())) {
            throw new SchemaException("keys of a sorted map in natural order cannot become "
                + FailureText.excerpt(keys.describe(), root.keys()) + " from "
                + FailureText.excerpt(root.keys(), keys.describe()), null);
        }
        ChunkTreeMap<Integer, V> source = ChunkTreeMap.open(nodes, root.cid(), Codecs.INT, null, reader);
        @SuppressWarnings("unchecked")
        Entries<K, V> widened = (Entries<K, V>) widened(source);
        return widened;
    }

    private static <K, V, M extends Map<K, V> & ChunkCollection> Entries<K, V> entries(M map) {
        return new Entries<>() {
            @Override
            public void forEach(BiConsumer<? super K, ? super V> action) {
                map.forEach(action);
            }

            @Override
            public long size() {
                return map.longSize();
            }
        };
    }

    private static <V> Entries<Long, V> widened(ChunkTreeMap<Integer, V> source) {
        return new Entries<>() {
            @Override
            public void forEach(BiConsumer<? super Long, ? super V> action) {
                source.forEach((key, value) -> action.accept(key.longValue(), value));
            }

            @Override
            public long size() {
                return source.longSize();
            }
        };
    }

    /** Opens a set. */
    static <E> ChunkHashSet<E> set(CollectionChunks nodes, NamedRoot root, Codec<E> elements) {
        return new ChunkHashSet<>(ChunkHashMap.open(nodes, root.cid(), elements.readerOf(root.keys()),
            ChunkHashSet.PRESENT));
    }

    /** Opens a list. */
    static <E> ChunkSegmentList<E> list(CollectionChunks nodes, NamedRoot root, Codec<E> elements) {
        return ChunkSegmentList.open(nodes, root.cid(), elements.readerOf(root.keys()));
    }

    /** Opens a queue. */
    static <E> ChunkFifo<E> queue(CollectionChunks nodes, NamedRoot root, Codec<E> elements) {
        return ChunkFifo.open(nodes, root.cid(), elements.readerOf(root.keys()));
    }

    /** Copies a map to an empty one. */
    static <K, V, M extends Map<K, V> & ChunkCollection> boolean copy(Entries<K, V> source, M target) {
        source.forEach(target::put);
        requireSize(source.size(), target.longSize());
        return true;
    }

    /** Copies a set, list or queue to an empty one. */
    static <E> boolean copy(Collection<E> source, Collection<E> target) {
        source.forEach((Consumer<E>) target::add);
        requireSize(((ChunkCollection) source).longSize(), ((ChunkCollection) target).longSize());
        return true;
    }

    private static void requireSize(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException(expected - actual + " of " + expected
                + " entries have keys that are equal to others in the new version; nothing was changed");
        }
    }
}
