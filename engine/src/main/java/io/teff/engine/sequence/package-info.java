/**
 * Lists and queues in chunks.
 *
 * <p><b>Promise.</b> That of {@link io.teff.engine.collect}. <b>Neighbours.</b> The store's
 * {@link io.teff.engine.storage.CollectionChunks} below, the interfaces of {@code collect} above. Read
 * {@link io.teff.engine.sequence.QueueLayout}, {@link io.teff.engine.sequence.QueueChain},
 * {@link io.teff.engine.sequence.ChunkFifo}; {@link io.teff.engine.sequence.SegmentLayout},
 * {@link io.teff.engine.sequence.ListSegments}, {@link io.teff.engine.sequence.ListReader},
 * {@link io.teff.engine.sequence.ChunkSegmentList}.
 */
@NullMarked
package io.teff.engine.sequence;

import org.jspecify.annotations.NullMarked;
