package io.teff.bridge.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.teff.engine.NamedRoot;
import io.teff.engine.Store;
import io.teff.engine.collect.ChunkCollection;
import java.lang.ref.WeakReference;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.function.ToDoubleFunction;

/**
 * The size and the memory of a collection as gauges. Each has three tags: the names {@code store} and {@code
 * collection}, and {@code kind}, for example {@code sorted_map}.
 *
 * <pre>{@code
 * ChunkMap<String, Account> accounts = store.map("accounts", String.class, Account.class);
 * new CollectionMetrics(store, "accounts", accounts).bindTo(registry);
 * }</pre>
 *
 * <p>Neither the binder nor the meters keep the store or the collection reachable. A collection that was dropped, or
 * whose store is closed or garbage collected, reads as NaN; its meters stay in the registry until they are removed. A
 * reading takes microseconds. Thread-safe.
 */
public final class CollectionMetrics implements MeterBinder {
    private final WeakReference<Store> store;
    private final WeakReference<ChunkCollection> collection;
    private final Tags tags;

    /**
     * Creates the binder of a collection.
     *
     * @param store store of the collection
     * @param name name of the collection
     * @param collection the collection
     * @throws NoSuchElementException if the store has no such name
     */
    public CollectionMetrics(Store store, String name, ChunkCollection collection) {
        this(store, name, collection, Tags.empty());
    }

    /**
     * Creates the binder of a collection.
     *
     * @param store store of the collection
     * @param name name of the collection
     * @param collection the collection
     * @param tags tags of every meter, in addition to {@code store}, {@code collection} and {@code kind}
     * @throws NoSuchElementException if the store has no such name
     */
    public CollectionMetrics(Store store, String name, ChunkCollection collection, Iterable<Tag> tags) {
        NamedRoot named = store.names().get(name).orElseThrow(
            () -> new NoSuchElementException("store " + store.config().name() + " has no collection named " + name));
        this.store = new WeakReference<>(store);
        this.collection = new WeakReference<>(collection);
        this.tags = Tags.concat(tags, "store", store.config().name(), "collection", name, "kind",
            named.kind().name().toLowerCase(Locale.ROOT));
    }

    /** Registers the gauges; does nothing if the collection no longer exists. */
    @Override
    public void bindTo(MeterRegistry registry) {
        ChunkCollection bound = collection.get();
        if (bound == null) {
            return;
        }
        Gauge.builder("teff.collection.entries", bound, each -> read(each, ChunkCollection::longSize))
            .tags(tags).baseUnit("entries").description("Entries or elements of the collection").register(registry);
        Gauge.builder("teff.collection.memory", bound, each -> read(each, ChunkCollection::memoryBytes))
            .tags(tags).baseUnit(BaseUnits.BYTES)
            .description("Memory of the collection in its store: chunks and their table entries").register(registry);
    }

    private double read(ChunkCollection bound, ToDoubleFunction<ChunkCollection> figure) {
        Store owner = store.get();
        if (owner == null || !owner.isOpen()) {
            return Double.NaN;
        }
        try {
            return figure.applyAsDouble(bound);
        } catch (IllegalStateException e) {                     // dropped or closed in the meantime
            return Double.NaN;
        }
    }
}
