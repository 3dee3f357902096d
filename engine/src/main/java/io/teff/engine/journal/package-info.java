/**
 * The seam between a store and a log: records of changes, and restoring them.
 *
 * <p>The engine knows nothing of files. A store that was opened with a {@link io.teff.engine.journal.Journal} tells it
 * each change of a chunk; one without pays a null check for that. The way back is {@link
 * io.teff.engine.journal.ChunkRestorer}: it fills a store that no other thread can reach yet. Both are for the modules
 * that keep
 * chunks, not for users.
 *
 * <p><b>Order.</b> A change of one chunk is told inside of the chunk's stripe, so who reads it reads what was told.
 * What a collection changes is told as one group before the collection's lock is given back; a removal in it has the
 * number of when it was made, because the index may be somebody else's by then.
 */
@NullMarked
package io.teff.engine.journal;

import org.jspecify.annotations.NullMarked;
