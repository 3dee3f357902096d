package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Described;
import io.teff.cluster.terminal.shell.value.Nearest;
import io.teff.engine.NamedRoot;
import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.NamedComparator;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A collection that is opened by the descriptions of its codecs, without the classes of its program. */
final class Opened {
    private final ClusterStore store;
    private final String name;
    private final NamedRoot root;
    private final Described keys;
    private final Described values;

    private Opened(ClusterStore store, String name, NamedRoot root) {
        this.store = store;
        this.name = name;
        this.root = root;
        keys = Described.of(root.keys());
        values = Described.of(root.values());
    }

    /** Finds a collection; throws if there is none. */
    static Opened any(ClusterStore store, String name) {
        NamedRoot root = store.names().get(name).orElse(null);
        if (root == null) {
            String near = Nearest.of(name, store.names().all().keySet());
            throw new CommandFailure("there is no collection " + name + (near == null ? "; collections lists them"
                : "; is it " + near + "?"));
        }
        return new Opened(store, name, root);
    }

    /** Finds a collection of a kind; throws if there is none. */
    static Opened of(ClusterStore store, String name, Kind kind) {
        Opened found = any(store, name);
        if (found.root.kind() != kind) {
            throw new CommandFailure(name + " is a " + KindText.kind(found.root) + ", no "
                + kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        }
        return found;
    }

    NamedRoot root() {
        return root;
    }

    Described keys() {
        return keys;
    }

    Described values() {
        return values;
    }

    ChunkMap<byte[], byte[]> map() {
        return store.map(name, keys, values);
    }

    ChunkSet<byte[]> set() {
        return store.set(name, keys);
    }

    ChunkQueue<byte[]> queue() {
        return store.queue(name, keys);
    }

    ChunkList<byte[]> list() {
        return store.list(name, keys);
    }

    /** Opens a sorted map; its keys are objects of the engine's codecs, which have an order. */
    @SuppressWarnings("unchecked")
    ChunkSortedMap<Object, byte[]> sorted() {
        Codec<Object> codec = (Codec<Object>) keys.ordered();
        if (codec == null) {
            throw new CommandFailure("the keys of " + name + " have an order of its program: " + keys.excerpt());
        }
        if (root.order().isEmpty()) {
            return store.sortedMap(name, codec, values);
        }
        for (Comparator<?> each : List.of(Comparator.<String>naturalOrder(), Comparator.<String>reverseOrder())) {
            if (root.order().equals(NamedComparator.nameOf(each))) {
                return store.sortedMap(name, codec, values, (Comparator<Object>) each);
            }
        }
        throw new CommandFailure("the order of " + name + " is of its program: " + root.order());
    }

    ChunkCollection collection() {
        return switch (root.kind()) {
            case MAP -> map();
            case SET -> set();
            case LIST -> list();
            case QUEUE -> queue();
            case SORTED_MAP -> sorted();
            case CHUNK -> throw new CommandFailure(name + " is a chunk: chunk get @" + name);
        };
    }

    // ---- keys of sorted maps ----

    Object sortedKey(String word) {
        byte[] bytes = keys.bytes(word);
        Codec<?> codec = keys.ordered();
        return codec == null ? bytes : codec.read(new Input(bytes, 0, bytes.length));
    }

    Object shownKey(Object key) {
        @SuppressWarnings("unchecked")
        Codec<Object> codec = (Codec<Object>) keys.ordered();
        if (codec == null) {
            return keys.shown((byte[]) key);
        }
        Output out = Output.growing(Long.BYTES);
        codec.write(key, out);
        return keys.shown(out.toByteArray());
    }

    /** Returns an entry for JSON. */
    static Map<String, Object> entry(Object key, Object value) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("key", key);
        entry.put("value", value);
        return entry;
    }
}
