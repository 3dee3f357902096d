/**
 * JCache (JSR 107) over Teff: caches whose keys and values are bytes outside of the Java heap.
 *
 * <p><b>Promise.</b> The whole of {@code javax.cache} 1.1.1 but its optional parts (store by reference, annotations).
 * Each operation is atomic per key, and listeners hear of the changes of a key in the order of the changes. An entry
 * that has expired is never seen, and its memory is returned whether or not anybody asks for it again.
 *
 * <p><b>Fault model.</b> A memory limit that is reached, a user's function that throws, a close while others work: the
 * operation throws a {@link javax.cache.CacheException} or an {@link java.lang.IllegalStateException}, and what it
 * would have changed stays as it was, or is gone if a writer has already told the world outside.
 *
 * <p><b>Neighbours.</b> Needs the engine and the API. Programs see {@link io.teff.bridge.jcache.TeffCachingProvider}
 * only, mostly without naming it. <b>Start</b> with {@code TeffCache} (what the API says), then {@code HeldEntry} (one
 * entry under its lock, through which every change goes) and {@code EntryLayout} (the bytes).
 */
@NullMarked
package io.teff.bridge.jcache;

import org.jspecify.annotations.NullMarked;
