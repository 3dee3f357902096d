/** A cluster in a browser, and its figures for Prometheus. */
module io.teff.cluster.console {
    requires com.fasterxml.jackson.jr.ob;
    requires transitive io.teff.cluster;
    requires io.prometheus.metrics.model;
    requires jdk.httpserver;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires static org.jspecify;

    exports io.teff.cluster.console;
}
