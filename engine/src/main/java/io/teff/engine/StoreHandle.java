package io.teff.engine;

import io.teff.engine.care.StoreCare;
import java.lang.System.Logger;
import java.lang.ref.Cleaner;

/**
 * Keeps a store open while an application can reach it. Every object that an application obtains from a store refers to
 * the store's handle. If the handle becomes unreachable before the store is closed, a cleaner thread closes the store,
 * and logs a warning with the stack trace of the call that opened the store. Thread-safe.
 */
final class StoreHandle {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Logger LOGGER = System.getLogger(StoreHandle.class.getPackageName());

    private final StoreCare care;
    private final Cleaner.Cleanable leak;

    StoreHandle(String name, StoreCare care) {
        this.care = care;
        this.leak = CLEANER.register(this, new Leak(name, care, new Throwable("the store was opened here")));
    }

    /** Closes a store whose handle became unreachable. Must not refer to the handle. */
    private record Leak(String name, StoreCare care, Throwable site) implements Runnable {
        @Override
        public void run() {
            if (care.close()) {
                LOGGER.log(Logger.Level.WARNING, "store " + name + " was not closed", site);
            }
        }
    }

    /** Logs a line for people. */
    void log(String line) {
        LOGGER.log(Logger.Level.INFO, line);
    }

    /** Closes the store; idempotent. */
    void close() {
        care.close();
        leak.clean();
    }
}
