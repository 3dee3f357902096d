/**
 * Hash maps and sets in chunks.
 *
 * <p><b>Promise.</b> The contract of {@link io.teff.engine.collect}. Readers take no lock and write nothing shared.
 * Writers of buckets under different locks do not wait for each other. The table grows and shrinks by one bucket at a
 * time. <b>Neighbours.</b> Below are the chunk operations of {@link io.teff.engine.storage.CollectionChunks}, above
 * are the interfaces of {@code collect}. <b>Start</b> with {@link io.teff.engine.hash.BucketLayout}, then read {@link
 * io.teff.engine.hash.LinearHash}, {@link io.teff.engine.hash.HashGrowth}, {@link io.teff.engine.hash.HashCursor} and
 * {@link io.teff.engine.hash.ChunkHashMap}.
 */
@NullMarked
package io.teff.engine.hash;

import org.jspecify.annotations.NullMarked;
