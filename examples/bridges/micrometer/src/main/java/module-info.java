/** What a store and its collections take, as meters of Micrometer. */
module io.teff.bridge.micrometer {
    requires transitive io.teff.engine;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports io.teff.bridge.micrometer;
}
