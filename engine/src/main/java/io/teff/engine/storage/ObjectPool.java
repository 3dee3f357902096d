package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of reusable objects. An operation acquires an object, uses it alone and releases it. If more operations run
 * at once than the pool has places, the others create objects of their own. Thread-safe, for platform and virtual
 * threads alike.
 *
 * @param <T> type of the objects
 */
public final class ObjectPool<T> {
    private static final int PLACES = 16;

    private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);
    private final Supplier<T> maker;
    private final Predicate<T> kept;

    /**
     * Creates an empty pool.
     *
     * @param maker creates an object
     * @param kept whether a released object is worth keeping
     */
    public ObjectPool(Supplier<T> maker, Predicate<T> kept) {
        this.maker = maker;
        this.kept = kept;
    }

    /** {@return an object that no other thread uses} */
    public T acquire() {
        T spare = places.getAndSet(place(), null);
        return spare != null ? spare : maker.get();
    }

    /**
     * Returns an object to the pool.
     *
     * @param spare an object from {@link #acquire}
     */
    public void release(T spare) {
        if (kept.test(spare)) {
            places.setRelease(place(), spare);
        }
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & PLACES - 1;
    }
}
