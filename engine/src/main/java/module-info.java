/**
 * The store inside one JVM: chunks of off-heap memory that are named by 64-bit ids.
 *
 * <p>It needs nothing but the JDK, and no JVM flag. JSpecify's annotations are there for the compiler only.
 */
@SuppressWarnings("module")                                  // they are compiled later
module io.teff.engine {
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.teff.engine;
    exports io.teff.engine.cache;
    exports io.teff.engine.codec;
    exports io.teff.engine.codec.schema;
    exports io.teff.engine.collect;
    exports io.teff.engine.compute;
    exports io.teff.engine.config;
    exports io.teff.engine.error;
    exports io.teff.engine.offer;
    exports io.teff.engine.query;
    exports io.teff.engine.report;
    exports io.teff.engine.view;

    exports io.teff.engine.journal to io.teff.cluster, io.teff.recovery;
    exports io.teff.engine.os to io.teff.cluster, io.teff.cluster.aeron, io.teff.cluster.net,
        io.teff.cluster.console, io.teff.cluster.terminal, io.teff.rdma.transport, io.teff.recovery;
    exports io.teff.engine.map to io.teff.cluster;
    exports io.teff.engine.raw to io.teff.cluster;
    exports io.teff.engine.work to io.teff.cluster;
    exports io.teff.engine.zone to io.teff.cluster;

    uses io.teff.engine.ChunkJob;
    uses io.teff.engine.GroupTask;
    uses io.teff.engine.StoreOpener;

    provides io.teff.engine.StoreOpener with io.teff.engine.MemoryOpener;
}
