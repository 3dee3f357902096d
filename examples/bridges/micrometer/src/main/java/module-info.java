/** The sizes and memory of a store and its collections as meters of Micrometer. */
module io.teff.bridge.micrometer {
    requires transitive io.teff.engine;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports io.teff.bridge.micrometer;
}
