package io.teff.test.bench.collect;

import io.teff.engine.Store;
import io.teff.test.bench.store.KeyedMaps;
import io.teff.test.bench.store.KeyedStore;
import java.util.Collection;
import java.util.function.Function;

/**
 * A collection under test, and its disposal.
 *
 * @param collection the collection
 * @param closing frees its memory
 * @param <C> type of the collection
 */
record Held<C>(C collection, Runnable closing) implements AutoCloseable {
    /** Returns a map that is closed by itself. */
    static <M extends KeyedStore> Held<M> map(M map) {
        return new Held<>(map, map::close);
    }

    /** A collection on the heap. */
    static <C extends Collection<?>> Held<C> onHeap(C collection) {
        return new Held<>(collection, collection::clear);
    }

    /** A collection in a store of its own. */
    static <C> Held<C> teff(long memoryBytes, Function<Store, C> open) {
        Store store = KeyedMaps.teffStore(memoryBytes);
        return new Held<>(open.apply(store), store::close);
    }

    @Override
    public void close() {
        closing.run();
    }
}
