package io.teff.engine;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.raw.ClasslessOrder;
import io.teff.engine.raw.RawCodec;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.storage.LockedCollection;
import io.teff.engine.storage.RootedCollection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The queues, lists and sorted maps of a zone as collections of bytes; see {@link Names}. Thread-safe. */
final class RawNames implements RawCollections {
    private static final int ANY_BYTES = -1;

    private final Names names;
    /** Each collection has one lock, so there is one object for each root. */
    private final Map<Long, RawCollection> open = new ConcurrentHashMap<>();

    RawNames(Names names) {
        this.names = names;
    }

    private static Codec<byte[]> bytes(String description) {
        return new RawCodec(description, ANY_BYTES);
    }

    private RawCollection locked(String name, ChunkCollection content, @Nullable Codec<Object> keys) {
        RootedCollection rooted = (RootedCollection) content;
        synchronized (names) {
            return names.isOpen(name, rooted)
                ? open.computeIfAbsent(rooted.root(), _ -> new LockedCollection(names.nodes(), rooted, keys))
                : new LockedCollection(names.nodes(), rooted, keys);    // was dropped meanwhile
        }
    }

    /** Forgets a collection that was dropped. */
    void forget(long root) {
        open.remove(root);
    }

    @Override
    public RawCollection queue(String name, String elements) {
        return locked(name, names.queue(name, bytes(elements)), null);
    }

    @Override
    public RawCollection list(String name, String elements) {
        return locked(name, names.list(name, bytes(elements)), null);
    }

    @Override
    public RawCollection sortedMap(String name, String keys, String values, String order) {
        ClasslessOrder known = ClasslessOrder.of(name, keys, order);
        return locked(name, names.sortedMap(name, known.keys(), bytes(values), known.comparator()), known.keys());
    }

    @Override
    public @Nullable RawCollection at(long root) {
        RawCollection known = open.get(root);
        if (known != null) {
            return known;
        }
        for (Map.Entry<String, NamedRoot> each : names.all().entrySet()) {
            NamedRoot named = each.getValue();
            if (named.cid() == root) {
                return open(each.getKey(), named);
            }
        }
        return null;
    }

    private @Nullable RawCollection open(String name, NamedRoot root) {
        return switch (root.kind()) {
            case QUEUE -> queue(name, root.keys());
            case LIST -> list(name, root.keys());
            case SORTED_MAP -> sortedMap(name, root.keys(), root.values(), root.order());
            default -> null;
        };
    }
}
