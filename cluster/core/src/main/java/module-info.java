/**
 * Stores on many machines that act as one store.
 *
 * <p>Superpeers need MicroRaft; peers and clients run without it.
 */
@SuppressWarnings("module")                                  // they are compiled later
module io.teff.cluster {
    requires transitive io.teff.cluster.net;
    requires transitive io.teff.recovery;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;
    requires static microraft;
    requires static org.jspecify;

    exports io.teff.cluster;
    exports io.teff.cluster.admin;
    exports io.teff.cluster.compute;
    exports io.teff.cluster.service;

    opens io.teff.cluster.admin to io.teff.engine;
    opens io.teff.cluster.archive to io.teff.engine;
    opens io.teff.cluster.compute to io.teff.engine;
    opens io.teff.cluster.job to io.teff.engine;
    opens io.teff.cluster.message to io.teff.engine;
    opens io.teff.cluster.meta to io.teff.engine;
    opens io.teff.cluster.operation to io.teff.engine;
    opens io.teff.cluster.registry to io.teff.engine;

    uses io.teff.cluster.ClusterConnector;
    uses io.teff.cluster.ClusterFunction;
    uses io.teff.cluster.admin.AdminProvider;
    uses io.teff.cluster.admin.ClusterBackups;
    uses io.teff.cluster.admin.ClusterForecast.Simulation;
    uses io.teff.cluster.compute.ClusterApplication;
    uses io.teff.engine.ChunkJob;
    uses io.teff.engine.GroupTask;

    provides io.teff.cluster.ClusterConnector with io.teff.cluster.client.RemoteStore.Connector;
    provides io.teff.engine.StoreOpener with io.teff.cluster.client.ClusterOpener;
    provides io.teff.cluster.admin.AdminProvider with io.teff.cluster.control.ControlProvider;
    provides io.teff.cluster.admin.ClusterBackups with io.teff.cluster.control.LinkedBackups;
    provides io.teff.cluster.admin.ClusterForecast.Simulation with io.teff.cluster.control.ForecastSimulation;
}
