package io.teff.test.bench.durable;

import io.teff.test.bench.session.NativeMemory;
import io.teff.test.bench.store.Contender;
import io.teff.test.bench.store.StoreKind;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The compared stores on a disk, each configured as its documentation advises. */
public enum DurableKind implements Contender {
    /** Teff's durable store. */
    TEFF("Teff", true, EnumSet.allOf(Keeping.class), List.of(NativeMemory.FLAG)),
    /** RocksDB. */
    ROCKSDB("RocksDB", true, EnumSet.allOf(Keeping.class), List.of()),
    /** LMDB. */
    LMDB("LMDB", true, EnumSet.allOf(Keeping.class), List.of("--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")),
    /** MapDB: its commits sync, so it is never merely logged. */
    MAPDB("MapDB", false, EnumSet.of(Keeping.BULK, Keeping.SYNCED), List.of()),
    /** H2's store. */
    MVSTORE("H2 MVStore", false, EnumSet.allOf(Keeping.class), List.of()),
    /** Chronicle Map in a file: it never syncs. */
    CHRONICLE("Chronicle Map", true, EnumSet.of(Keeping.BULK, Keeping.LOGGED), StoreKind.CHRONICLE.flags());

    private final String title;
    private final boolean offHeap;
    private final Set<Keeping> keepings;
    private final List<String> flags;

    /** All stores drop files from the page cache by a native call. */
    DurableKind(String title, boolean offHeap, Set<Keeping> keepings, List<String> flags) {
        this.title = title;
        this.offHeap = offHeap;
        this.keepings = keepings;
        this.flags = Stream.concat(Stream.of("--enable-native-access=ALL-UNNAMED"), flags.stream()).toList();
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean isOffHeap() {
        return offHeap;
    }

    @Override
    public List<String> flags() {
        return flags;
    }

    /** Whether it supports exactly this level of durability. */
    boolean keeps(Keeping keeping) {
        return keepings.contains(keeping);
    }

    /** Opens the store in an existing folder, or creates one in it. */
    Keeper open(Path folder, Keeping keeping, DurablePlan plan) {
        if (!keeps(keeping)) {
            throw new IllegalArgumentException(title + " has no way that is " + keeping);
        }
        return switch (this) {
            case TEFF -> new TeffKeeper(folder, keeping, plan.storeBytes(), config -> config);
            case ROCKSDB -> new RocksKeeper(folder, keeping);
            case LMDB -> new LmdbKeeper(folder, keeping, plan.entries());
            case MAPDB -> new MapDbKeeper(folder, keeping);
            case MVSTORE -> new MvStoreKeeper(folder, keeping);
            case CHRONICLE -> new ChronicleKeeper(folder, plan.entries());
        };
    }
}
