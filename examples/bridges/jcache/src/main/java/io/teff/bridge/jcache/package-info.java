/**
 * JCache (JSR 107) over Teff: caches whose keys and values are bytes outside the Java heap.
 *
 * <p><b>Promise.</b> Implements {@code javax.cache} 1.1.1 without its optional parts (store by reference, annotations).
 * Each operation is atomic per key, and listeners receive the changes of a key in the order of the changes. An expired
 * entry is never visible, and its memory is freed even if its key is never used again.
 *
 * <p><b>Fault model.</b> A reached memory limit, a function of the application that throws, a close during other
 * operations: the operation throws a {@link javax.cache.CacheException} or an {@link java.lang.IllegalStateException},
 * and the entry is unchanged, or removed if a writer has already written the new value.
 *
 * <p><b>Neighbours.</b> Depends on the engine and the API. Applications use
 * {@link io.teff.bridge.jcache.TeffCachingProvider} only, usually as a service. <b>Start</b> with {@code TeffCache}
 * (the API), then {@code LockedEntry} (one entry under its lock, through which every change goes) and
 * {@code EntryLayout} (the bytes).
 */
@NullMarked
package io.teff.bridge.jcache;

import org.jspecify.annotations.NullMarked;
