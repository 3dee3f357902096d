package io.teff.engine.journal;

import io.teff.engine.config.StoreConfig;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens stores whose changes a journal records. Thread-safe.
 *
 * <p>Only modules that make changes durable have journals, and this package is exported only to them. The class of
 * stores is exported to every module; a method there with a journal as parameter would show unusable types to every
 * application. Therefore the class of stores registers its constructor here when it is initialized. This package does
 * not depend on that class; the caller passes it.
 */
public final class JournaledStores {
    private static volatile @Nullable Opener<?> opener;

    private JournaledStores() {}

    /**
     * Constructor of stores with a journal.
     *
     * @param <S> the class of stores
     */
    @FunctionalInterface
    public interface Opener<S> {
        /**
         * Opens a store; see {@link JournaledStores#open}.
         *
         * @param config configuration of the store
         * @param journal records each change after the restore
         * @param restore fills the store
         * @return the store, which the caller must close
         */
        S open(StoreConfig config, Journal journal, Consumer<ChunkRestorer> restore);
    }

    /**
     * Registers the constructor of stores. Called once, by the initializer of the class of stores.
     *
     * @param stores opens a store
     */
    public static void openBy(Opener<?> stores) {
        opener = stores;
    }

    /**
     * Opens a store with the chunks that a function restores.
     *
     * @param <S> the class of stores
     * @param type {@code Store.class}
     * @param config configuration of the store
     * @param journal records each change after the restore
     * @param restore fills the store before any other thread can reach it; if it throws, the store is closed
     * @return the store, which the caller must close
     * @throws IllegalArgumentException if the class is not accessible
     */
    public static <S> S open(Class<S> type, StoreConfig config, Journal journal, Consumer<ChunkRestorer> restore) {
        try {
            MethodHandles.lookup().ensureInitialized(type);     // the initializer calls openBy
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(type.getName() + " is not the class of stores", e);
        }
        return type.cast(Objects.requireNonNull(opener).open(config, journal, restore));
    }
}
