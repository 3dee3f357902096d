/**
 * A provider of JCache (JSR 107) whose entries are chunks of a store.
 *
 * <p>The module of the API is the jar {@code cache-api}, which has no module descriptor.
 */
@SuppressWarnings("requires-transitive-automatic")
module io.teff.bridge.jcache {
    requires transitive cache.api;
    requires transitive io.teff.engine;
    requires java.management;
    requires static org.jspecify;

    exports io.teff.bridge.jcache;

    provides javax.cache.spi.CachingProvider with io.teff.bridge.jcache.TeffCachingProvider;
}
