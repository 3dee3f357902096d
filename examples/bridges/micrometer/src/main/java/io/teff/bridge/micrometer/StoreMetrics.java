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
 * The memory of a store as gauges. Each has the tag {@code store}, the store's name; {@code teff.store.memory} has the
 * tag {@code area} besides, and the sum over its areas is {@code teff.store.memory.committed}.
 *
 * <pre>{@code
 * new StoreMetrics(store).bindTo(registry);
 * }</pre>
 *
 * <p>Neither this nor the meters keep the store reachable. A store that is closed or collected reads as NaN; its meters
 * stay in the registry until they are removed. Each reading is a {@link Store#stats()}, which takes microseconds and
 * waits for nobody. Thread-safe.
 */
public final class StoreMetrics implements MeterBinder {
    private final WeakReference<Store> store;
    private final Tags tags;

    /**
     * Makes the binder of a store.
     *
     * @param store what to look at
     */
    public StoreMetrics(Store store) {
        this(store, Tags.empty());
    }

    /**
     * Makes the binder of a store.
     *
     * @param store what to look at
     * @param tags put to every meter, besides {@code store}
     */
    public StoreMetrics(Store store, Iterable<Tag> tags) {
        this.store = new WeakReference<>(store);
        this.tags = Tags.concat(tags, "store", store.config().name());
    }

    /** Registers the gauges; does nothing if the store is not there any more. */
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
        bytes("used", "All pages and runs that are handed out", StoreStats::usedBytes, bound, registry);
        bytes("committed", "Memory of the machine that the store holds", StoreStats::committedBytes, bound, registry);
        bytes("max", "The most that the store may use", StoreStats::limitBytes, bound, registry);
        gauge("teff.store.chunk.overhead", BaseUnits.BYTES, "Bytes beyond the payload per chunk",
            StoreStats::overheadPerChunk, bound, registry);
        gauge("teff.store.memory.reserved", null,
            "1 if the memory is reserved address space, 0 if it comes in blocks of the JDK",
            stats -> stats.reserved() ? 1 : 0, bound, registry);
    }

    private void area(String area, ToDoubleFunction<StoreStats> figure, Store bound, MeterRegistry registry) {
        Gauge.builder("teff.store.memory", bound, each -> read(each, figure))
            .tags(tags).tag("area", area).baseUnit(BaseUnits.BYTES)
            .description("What the store's memory holds; the sum over all areas is what is committed")
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
        } catch (IllegalStateException e) {                     // closed, maybe while it was read
            return Double.NaN;
        }
    }
}
