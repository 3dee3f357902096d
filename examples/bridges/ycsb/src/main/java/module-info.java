/**
 * Bindings of stores and clusters to the Yahoo! Cloud Serving Benchmark (YCSB), and a driver of its workloads.
 *
 * <p>The modules of YCSB are jars without module descriptors.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.teff.bridge.ycsb {
    requires transitive core;
    requires htrace.core4;
    requires io.teff.cluster;
    requires transitive io.teff.engine;
    requires io.teff.recovery;
    requires static org.jspecify;

    exports io.teff.bridge.ycsb;
}
