package io.teff.bridge.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.teff.engine.Store;
import io.teff.engine.report.StoreStats;
import java.lang.ref.WeakReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a store as gauges. Each has the tag {@code store}, the name of the store; {@code teff.store.memory}
 * also has the tag {@code area}, and the sum over its areas is {@code teff.store.memory.committed}.
 *
 * <pre>{@code
 * new StoreMetrics(store).bindTo(registry);
 * }</pre>
 *
 * <p>Neither the binder nor the meters keep the store reachable. A store that is closed or garbage collected reads as
 * NaN; its meters stay in the registry until they are removed. Each reading is a {@link Store#stats()}, which takes
 * microseconds and does not wait. Thread-safe.
 */
public final class StoreMetrics implements MeterBinder {
    private final WeakReference<Store> store;
    private final Tags tags;

    /**
     * Creates the binder of a store.
     *
     * @param store the store
     */
    public StoreMetrics(Store store) {
        this(store, Tags.empty());
    }

    /**
     * Creates the binder of a store.
     *
     * @param store the store
     * @param tags tags of every meter, in addition to {@code store}
     */
    public StoreMetrics(Store store, Iterable<Tag> tags) {
        this.store = new WeakReference<>(store);
        this.tags = Tags.concat(tags, "store", store.config().name());
    }

    /** Registers the gauges; does nothing if the store no longer exists. */
    @Override
    public void bindTo(MeterRegistry registry) {
        Store bound = store.get();
        if (bound == null) {
            return;
        }
        gauge("teff.store.chunks", "chunks", "Chunks in the store", StoreStats::chunks, bound, registry);
        area("payload", StoreStats::payloadBytes, bound, registry);
        area("waste", StoreStats::wasteBytes, bound, registry);
        area("table", StoreStats::tableBytes, bound, registry);
        area("free_slots", StoreStats::freeSlotBytes, bound, registry);
        area("free_units", StoreStats::freeUnitBytes, bound, registry);
        bytes("taken", "Slots and runs that hold chunks: payload and waste", StoreStats::takenBytes, bound, registry);
        bytes("used", "All pages and runs in use", StoreStats::usedBytes, bound, registry);
        bytes("committed", "Memory that the store has committed", StoreStats::committedBytes, bound, registry);
        bytes("max", "Memory limit of the store", StoreStats::limitBytes, bound, registry);
        gauge("teff.store.chunk.overhead", BaseUnits.BYTES, "Bytes beyond the payload per chunk",
            StoreStats::overheadPerChunk, bound, registry);
        gauge("teff.store.memory.reserved", null,
            "1 if the memory is reserved address space, 0 if it is blocks of the JDK",
            stats -> stats.reserved() ? 1 : 0, bound, registry);
    }

    private void area(String area, ToDoubleFunction<StoreStats> figure, Store bound, MeterRegistry registry) {
        Gauge.builder("teff.store.memory", bound, each -> read(each, figure))
            .tags(tags).tag("area", area).baseUnit(BaseUnits.BYTES)
            .description("Memory of the store by use; the sum over all areas is the committed memory")
            .register(registry);
    }

    private void bytes(String name, String description, ToDoubleFunction<StoreStats> figure, Store bound,
                       MeterRegistry registry) {
        gauge("teff.store.memory." + name, BaseUnits.BYTES, description, figure, bound, registry);
    }

    private void gauge(String name, @Nullable String unit, String description,
                       ToDoubleFunction<StoreStats> figure, Store bound, MeterRegistry registry) {
        Gauge.builder(name, bound, each -> read(each, figure))
            .tags(tags).baseUnit(unit).description(description).register(registry);
    }

    private static double read(Store bound, ToDoubleFunction<StoreStats> figure) {
        try {
            return figure.applyAsDouble(bound.stats());
        } catch (IllegalStateException e) {                     // closed, maybe during this reading
            return Double.NaN;
        }
    }
}
