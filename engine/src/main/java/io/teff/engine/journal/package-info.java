/**
 * The interface between a store and a log: the store passes its changes to the log, and a restore reads them back.
 *
 * <p>The engine does not access the files of a log. A store that was opened with a
 * {@link io.teff.engine.journal.Journal} passes each change of a chunk to the journal; a store without a journal pays
 * one null check per change. A {@link io.teff.engine.journal.ChunkRestorer} fills a store before its users can access
 * it. Both interfaces are for modules that make chunks durable, not for applications.
 *
 * <p><b>Order.</b> A change of one chunk is recorded inside the chunk's stripe, so a reader sees only recorded states.
 * The changes of a collection are recorded as one group before the collection's lock is released. A removal in a group
 * has the number that was current at the removal, because the index may be in use again when the group is written.
 */
@NullMarked
package io.teff.engine.journal;

import org.jspecify.annotations.NullMarked;
