package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of reusable objects. An operation acquires an object, uses it alone and releases it. Thread-safe, for platform
 * and virtual threads alike.
 *
 * <p>There is one pool for a type of objects in the JVM, not one for a collection: so a collection costs no buffers,
 * and a thread finds its buffers in the cache. Each thread has two places, the second for operations inside of an
 * operation. Places of neighbouring threads lie in different cache lines. If more operations run at once than the pool
 * has places, the others create objects of their own.
 *
 * @param <T> type of the objects
 */
public final class ObjectPool<T> {
    private static final int PLACES = 64;
    /** References in a cache line, of 4 bytes each or more. */
    private static final int STRIDE = 16;
    private static final int SECOND = PLACES / 2 * STRIDE;
    private static final int MASK = PLACES * STRIDE - 1;

    private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES * STRIDE);
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
        final int place = place();
        T spare = places.getAndSet(place, null);
        if (spare == null) {
            spare = places.getAndSet(place + SECOND & MASK, null);
        }
        return spare != null ? spare : maker.get();
    }

    /**
     * Returns an object to the pool.
     *
     * @param spare an object from {@link #acquire}
     */
    public void release(T spare) {
        if (kept.test(spare)) {
            final int place = place();
            places.setRelease(places.getPlain(place) == null ? place : place + SECOND & MASK, spare);
        }
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() * STRIDE & MASK;
    }
}
