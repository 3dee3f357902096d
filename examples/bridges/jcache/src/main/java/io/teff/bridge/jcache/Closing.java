package io.teff.bridge.jcache;

import java.io.Closeable;
import java.io.IOException;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** Closes things of users, all of them whatever they throw, and says at the end what went wrong first. */
final class Closing {
    private @Nullable RuntimeException first;

    /** Does one step. */
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

    /** Throws what went wrong. */
    void end() {
        if (first != null) {
            throw first instanceof CacheException ? first : new CacheException("closing failed: " + first, first);
        }
    }

    /**
     * Closes something if it can be closed.
     *
     * @throws CacheException if that fails
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
