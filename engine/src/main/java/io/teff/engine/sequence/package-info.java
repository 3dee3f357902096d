/**
 * Lists and queues in chunks.
 *
 * <p><b>Promise.</b> The contract of {@link io.teff.engine.collect}. Readers take no lock and write nothing shared.
 * <b>Neighbours.</b> Below are the chunk operations of {@link io.teff.engine.storage.CollectionChunks}, above are the
 * interfaces of {@code collect}. <b>Start</b> for queues with {@link io.teff.engine.sequence.QueueLayout}, {@link
 * io.teff.engine.sequence.QueueChain} and {@link io.teff.engine.sequence.ChunkFifo}; for lists with {@link
 * io.teff.engine.sequence.ListSegmentLayout}, {@link io.teff.engine.sequence.ListSegments} and {@link
 * io.teff.engine.sequence.ListTree}, then {@link io.teff.engine.sequence.ListPlace} and {@link
 * io.teff.engine.sequence.ListCopier} for walks, and {@link io.teff.engine.sequence.ChunkSegmentList}.
 */
@NullMarked
package io.teff.engine.sequence;

import org.jspecify.annotations.NullMarked;
