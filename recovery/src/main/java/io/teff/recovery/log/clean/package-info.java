/**
 * Cleaning (reorganization): the live entries of a zone, the choice of segments to rewrite, and the thread that
 * rewrites segments.
 *
 * <p>An entry is live if no other entry of its index is newer, see {@link io.teff.recovery.log.clean.Newest}. The index
 * of a CID is the CID without its generation, so the entry of a removal stays live until the index is used again, and
 * shows until then that the old generation is over. A chain replaces the entry before it only when all links are
 * present; until then both the entry and the links are kept.
 *
 * <p>Cleaning copies the live entries of a few segments, so it pays most where few entries are live. How full a zone
 * may be is a trade: at a share f of live bytes, each freed byte costs up to f / (1 - f) bytes of copying (Rosenblum
 * and Ousterhout 1992, who also clean the emptiest segments first).
 *
 * <p><b>Neighbours.</b> {@code log.read} reads the segments, {@code log.file} names them; {@code log} starts the thread
 * and enters the results in the manifest. {@link io.teff.recovery.log.clean.Liveness},
 * {@link io.teff.recovery.log.clean.Victims} and {@link io.teff.recovery.log.clean.LiveEstimate} are pure code without
 * a file. Start with {@link io.teff.recovery.log.clean.Cleaner}.
 */
@NullMarked
package io.teff.recovery.log.clean;

import org.jspecify.annotations.NullMarked;
