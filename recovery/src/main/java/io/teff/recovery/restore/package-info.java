/**
 * Filling a store from the zones of a log: the newest entry of each index, by several threads, also where memory is
 * short.
 *
 * <p><b>Promise.</b> The restorer has the newest entry of each index at the end, whatever the order of reading and
 * however often an entry is read. If one pass over a zone needs more memory than there is, later passes restore the
 * newest entries alone.
 *
 * <p><b>Neighbours.</b> {@code log} shows the entries, {@code log.clean} knows the newest entry. Start with
 * {@link io.teff.recovery.restore.Restore}.
 */
@NullMarked
package io.teff.recovery.restore;

import org.jspecify.annotations.NullMarked;
