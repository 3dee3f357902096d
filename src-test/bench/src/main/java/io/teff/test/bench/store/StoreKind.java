package io.teff.test.bench.store;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The compared stores, each configured as its documentation advises, with the needs of its JVM. Every process gets the
 * same total memory: a store on the heap as Java heap, another one mostly for itself.
 */
public enum StoreKind implements Contender {
    /** Teff, native access granted. */
    TEFF("Teff", true, 2, "--enable-native-access=ALL-UNNAMED"),
    /** Teff in a plain JVM. */
    TEFF_PLAIN("Teff, no flags", true, 2),
    /** Teff's hash map, native access granted. */
    TEFF_MAP("Teff map", true, 2, "--enable-native-access=ALL-UNNAMED"),
    /** The JDK's concurrent map. */
    CHM("ConcurrentHashMap", false, 2),
    /** fastutil. */
    FASTUTIL("fastutil Long2ObjectOpenHashMap", false, 1),
    /** Eclipse Collections. */
    ECLIPSE("Eclipse LongObjectHashMap", false, 1),
    /** Caffeine with a maximum size that it never reaches. */
    CAFFEINE("Caffeine", false, 2),
    /** Chronicle Map. */
    CHRONICLE("Chronicle Map", true, 2, "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
        "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
        "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED"),
    /** OHC, one allocation per entry. */
    OHC_LINKED("OHC linked", true, 2, "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
    /** OHC, entries of one size in chunks. */
    OHC_CHUNKED("OHC chunked", true, 2, "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"),
    /** MapDB. */
    MAPDB("MapDB", true, 2),
    /** Ehcache's off-heap tier. */
    EHCACHE("Ehcache off-heap", true, 2),
    /** Infinispan's off-heap storage. */
    INFINISPAN("Infinispan off-heap", true, 2),
    /** No store: a loop without any safety. */
    GATHER("gather loop, no safety", true, 2, "--enable-native-access=ALL-UNNAMED");

    private final String title;
    private final boolean offHeap;
    private final int threadsMax;
    private final List<String> flags;

    StoreKind(String title, boolean offHeap, int threadsMax, String... flags) {
        this.title = title;
        this.offHeap = offHeap;
        this.threadsMax = threadsMax;
        this.flags = List.of(flags);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean isOffHeap() {
        return offHeap;
    }

    /** {@return 1 if it is single-threaded, else 2} */
    public int threadsMax() {
        return threadsMax;
    }

    @Override
    public List<String> flags() {
        return flags;
    }

    /** {@return whether all its values must have one length} */
    public boolean isForOneLength() {
        return this == GATHER;
    }

    /**
     * Opens an empty store.
     *
     * @param entries number of entries it will have
     * @param values their lengths
     * @param memoryBytes its maximum memory outside of the heap
     * @return the store
     */
    public KeyedStore open(long entries, Values values, long memoryBytes) {
        return switch (this) {
            case TEFF, TEFF_PLAIN -> new TeffStore(memoryBytes);
            case TEFF_MAP -> KeyedMaps.teffLong(memoryBytes);
            case CHM -> new MapStore(new ConcurrentHashMap<>());
            case FASTUTIL -> new FastutilStore();
            case ECLIPSE -> new EclipseStore();
            case CAFFEINE -> new MapStore(Caffeine.newBuilder().maximumSize(2 * entries)
                .<Long, byte[]>build().asMap());
            case CHRONICLE -> new ChronicleStore(entries, values.lengthMin(), values.lengthMax());
            case OHC_LINKED -> new OhcStore(false, memoryBytes, entries, values.lengthMax());
            case OHC_CHUNKED -> new OhcStore(true, memoryBytes, entries, values.lengthMax());
            case MAPDB -> new MapDbStore();
            case EHCACHE -> new EhcacheStore(memoryBytes);
            case INFINISPAN -> new MapStore(InfinispanStores.offHeap());
            case GATHER -> new GatherStore(entries, values.lengthMax());
        };
    }
}
