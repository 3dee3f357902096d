/**
 * The two-level log that makes chunks survive the process and the machine, and the durable store on top of the log.
 *
 * <p>Like the engine it needs nothing but the JDK.
 */
@SuppressWarnings("module")                                  // the cluster is compiled later
module io.teff.recovery {
    requires transitive io.teff.engine;
    requires jdk.jfr;
    requires static org.jspecify;

    exports io.teff.recovery;
    exports io.teff.recovery.backup to io.teff.cluster;
    exports io.teff.recovery.tool;

    provides io.teff.engine.StoreOpener with io.teff.recovery.FileOpener;
}
