package io.teff.rdma.ffi;

import java.lang.System.Logger;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The native objects of this process that are open, so that leaks can be found.
 *
 * <p>Objects are always counted. With the system property {@value #PROPERTY} set to {@code true}, each object also
 * remembers the place of its creation. An open object that becomes unreachable is logged with the place. The native
 * object is not freed then: further objects may still use the native object. Thread-safe.
 */
public final class Lifetimes {
    /** The property by which objects remember the place of creation. */
    public static final String PROPERTY = "teff.rdma.leaks";
    private static final boolean REMEMBERS = Boolean.getBoolean(PROPERTY);
    private static final int FRAMES_MAX = 12;
    /** All open objects; guarded by itself. It must not reach the objects, or none would become unreachable. */
    private static final Set<Place> OPEN = new LinkedHashSet<>();
    private static final AtomicInteger LOST = new AtomicInteger();

    private Lifetimes() {}

    /** Finds unreachable objects; its thread starts with the first object. */
    private static final class Watch {
        private static final Cleaner CLEANER = Cleaner.create();
        private static final Logger LOGGER = System.getLogger("io.teff.rdma");

        private static void add(Object object, Place place) {
            CLEANER.register(object, () -> {
                if (place.isOpen()) {
                    LOGGER.log(Logger.Level.WARNING, "never closed, and lost: " + place);
                    LOST.incrementAndGet();
                }
            });
        }
    }

    /** Where an open object was created. */
    static final class Place {
        private final String kind;
        private final @Nullable Throwable creation;

        private Place(String kind, @Nullable Throwable creation) {
            this.kind = kind;
            this.creation = creation;
        }

        private boolean isOpen() {
            synchronized (OPEN) {
                return OPEN.contains(this);
            }
        }

        @Override
        public String toString() {
            if (creation == null) {
                return kind;
            }
            final StringBuilder text = new StringBuilder(kind).append(", created");
            final StackTraceElement[] frames = creation.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, FRAMES_MAX); i++) {
                text.append("\n    at ").append(frames[i]);
            }
            return text.toString();
        }
    }

    /** Counts an object until {@link #closed}. */
    static Place opened(String kind, Object object) {
        final Place place = new Place(kind, REMEMBERS ? new Throwable() : null);
        synchronized (OPEN) {
            OPEN.add(place);
        }
        if (REMEMBERS) {
            Watch.add(object, place);
        }
        return place;
    }

    /** Forgets an object. */
    static void closed(Place place) {
        synchronized (OPEN) {
            OPEN.remove(place);
        }
    }

    /** Returns the number of open objects. */
    public static int openCount() {
        synchronized (OPEN) {
            return OPEN.size();
        }
    }

    /** Returns the number of open objects that became unreachable; 0 without the property. */
    public static int lostCount() {
        return LOST.get();
    }

    /** Returns a text for each open object, in the order of creation: its kind and, if remembered, its place. */
    public static List<String> open() {
        final List<String> texts = new ArrayList<>();
        synchronized (OPEN) {
            OPEN.forEach(place -> texts.add(place.toString()));
        }
        return List.copyOf(texts);
    }
}
