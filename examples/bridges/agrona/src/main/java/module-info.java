/** Chunks as buffers of Agrona, in place and without copying. */
module io.teff.bridge.agrona {
    requires transitive io.teff.engine;
    requires transitive org.agrona;
    requires static org.jspecify;

    exports io.teff.bridge.agrona;
}
