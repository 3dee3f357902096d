/** The {@code bench cache} command: hit rates, memory and speed of a {@link io.teff.engine.cache.CacheMap}. */
@NullMarked
package io.teff.test.bench.cache;

import org.jspecify.annotations.NullMarked;
