package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects that operations use for a moment and leave for the next one. More operations at once than there are places
 * make some of their own. Thread-safe, for platform and virtual threads alike.
 *
 * @param <T> type of the objects
 */
public final class ObjectPool<T> {
    private static final int PLACES = 16;

    private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);
    private final Supplier<T> maker;
    private final Predicate<T> kept;

    /**
     * Makes an empty store of spares.
     *
     * @param maker makes one
     * @param kept whether one is worth keeping
     */
    public ObjectPool(Supplier<T> maker, Predicate<T> kept) {
        this.maker = maker;
        this.kept = kept;
    }

    /** {@return an object that nobody else has} */
    public T take() {
        T spare = places.getAndSet(place(), null);
        return spare != null ? spare : maker.get();
    }

    /**
     * Gives it back.
     *
     * @param spare what {@link #take} returned
     */
    public void give(T spare) {
        if (kept.test(spare)) {
            places.setRelease(place(), spare);
        }
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & PLACES - 1;
    }
}
