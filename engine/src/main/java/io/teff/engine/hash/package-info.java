/**
 * Hash maps and sets in chunks.
 *
 * <p><b>Promise.</b> That of {@link io.teff.engine.collect}. Readers take no lock and write nothing shared; writers of
 * different lanes do not wait for each other; the table grows and shrinks by one bucket at a time. <b>Neighbours.</b>
 * The store's {@link io.teff.engine.storage.CollectionChunks} below, the interfaces of {@code collect} above. Read {@link
 * io.teff.engine.hash.BucketLayout}, {@link io.teff.engine.hash.LinearHash}, {@link io.teff.engine.hash.HashGrowth}, {@link
 * io.teff.engine.hash.HashCursor}, {@link io.teff.engine.hash.ChunkHashMap}.
 */
@NullMarked
package io.teff.engine.hash;

import org.jspecify.annotations.NullMarked;
