package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.TypedChunks;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A property of vertices: a chunk for each vertex, empty where a vertex has no value. The property has a name in the
 * store. Thread-safe; each value is read and changed atomically.
 *
 * @param <V> type of the values
 */
public final class VertexColumn<V> {
    private static final String NAMES = "vertex ";

    private final Store store;
    private final Codec<V> codec;
    private final TypedChunks<V> values;
    private final long first;
    private final int vertexCount;

    private VertexColumn(Store store, Codec<V> codec, long first, int vertexCount) {
        this.store = store;
        this.codec = codec;
        this.values = new TypedChunks<>(store, codec);
        this.first = first;
        this.vertexCount = vertexCount;
    }

    static synchronized <V> VertexColumn<V> open(Store store, String graph, String property, int vertexCount,
                                                 Codec<V> codec) {
        String name = prefix(graph) + property;
        Optional<NamedRoot> root = store.names().get(name);
        if (root.isPresent()) {
            return new VertexColumn<>(store, codec, first(store, root.get().cid()), vertexCount);
        }
        long first = Header.createAll(store, vertexCount);
        byte[] place = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(first).array();
        store.names().bind(name, store.chunks().create(place));
        return new VertexColumn<>(store, codec, first, vertexCount);
    }

    private static String prefix(String graph) {
        return GraphName.of(graph) + GraphName.SEPARATOR + NAMES;
    }

    private static long first(Store store, long cid) {
        return store.fields().getLong(cid, 0, Cid.NONE);
    }

    /** Removes all properties of a graph. */
    static synchronized void dropAll(Store store, String graph, int vertexCount) {
        for (String name : List.copyOf(store.names().all().keySet())) {
            if (name.startsWith(prefix(graph))) {
                long cid = store.names().get(name).orElseThrow().cid();
                store.names().drop(name);
                Header.removeAll(store, first(store, cid), vertexCount);
                store.remove(cid);
            }
        }
    }

    /**
     * Returns the value of a vertex.
     *
     * @param vertex the vertex
     * @return the value; empty if the vertex has none
     */
    public Optional<V> get(int vertex) {
        byte[] bytes = store.chunks().get(cid(vertex)).orElseThrow();
        return bytes.length == 0 ? Optional.empty() : Optional.of(codec.read(new Input(bytes, 0, bytes.length)));
    }

    /**
     * Sets the value of a vertex.
     *
     * @param vertex the vertex
     * @param value the value
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    public void put(int vertex, V value) {
        values.put(cid(vertex), value);
    }

    /**
     * Removes the value of a vertex.
     *
     * @param vertex the vertex
     */
    public void clear(int vertex) {
        long cid = cid(vertex);
        Chunks.check(cid, store.put(cid, new byte[0]));
    }

    /**
     * Returns the chunk with the value of a vertex.
     *
     * @param vertex the vertex
     * @return CID of the chunk
     */
    public long cid(int vertex) {
        return first + Objects.checkIndex(vertex, vertexCount);
    }
}
