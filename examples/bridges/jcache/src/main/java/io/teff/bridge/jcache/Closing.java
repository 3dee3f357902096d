package io.teff.bridge.jcache;

import java.io.Closeable;
import java.io.IOException;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Closes several objects of the application even if some fail, and throws the first failure at the end. */
final class Closing {
    private @Nullable RuntimeException first;

    /** Runs one step; keeps the exception if it is the first. */
    void step(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else {
                first.addSuppressed(e);
            }
        }
    }

    /** Throws the first failure, if any. */
    void end() {
        if (first != null) {
            throw first instanceof CacheException ? first : new CacheException("closing failed: " + first, first);
        }
    }

    /**
     * Closes an object if it is closeable.
     *
     * @throws CacheException if closing fails
     */
    static void close(@Nullable Object thing) {
        if (thing instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new CacheException("closing " + thing + " failed: " + e, e);
            }
        }
    }
}
