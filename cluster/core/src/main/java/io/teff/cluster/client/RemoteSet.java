package io.teff.cluster.client;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.map.KeyView;
import java.util.Collection;

/**
 * A set of a cluster: the keys of a map whose values have no bytes. Thread-safe.
 *
 * @param <E> type of the elements
 */
final class RemoteSet<E> extends KeyView<E> implements ChunkSet<E> {
    /** Codec of the values of the map: there is one value, without bytes. */
    static final Codec<Boolean> PRESENT = new Codec<>() {
        @Override
        public void write(Boolean value, Output out) {
            // no bytes
        }

        @Override
        public Boolean read(Input in) {
            return true;
        }

        @Override
        public long fingerprint() {
            return 0;
        }

        @Override
        public String describe() {
            return "";
        }

        @Override
        public int fixedBytes() {
            return 0;
        }
    };

    private final RemoteMap<E, Boolean> map;

    RemoteSet(RemoteMap<E, Boolean> map) {
        super(map);
        this.map = map;
    }

    /** Returns the map with the elements as its keys. */
    RemoteMap<E, Boolean> map() {
        return map;
    }

    @Override
    public boolean add(E element) {
        return map.putIfAbsent(element, true) == null;
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        map.check();
        return map.bulk().putAllIfAbsent(elements, true);
    }

    @Override
    public long longSize() {
        return map.longSize();
    }

    @Override
    public long memoryBytes() {
        return map.memoryBytes();
    }

    @Override
    public void audit() {
        map.audit();
    }
}
