/**
 * What of a zone's entries lives, and which segments are worth cleaning: pure code, without a file.
 *
 * <p>An entry lives if no other one of its index is newer, see {@link io.teff.recovery.clean.Newest}. The index of a
 * CID is what is left of it without its generation: so the entry of a removal lives until the index is used again, and
 * tells until then that its generation is over. A chain counts when all of its links are there; until then what was
 * before it lives, and its links are kept.
 *
 * <p>Cleaning rewrites what lives of a few segments, so it is worth most where little lives. How full a zone may be is
 * a trade: at a share f of live bytes, each byte that is freed costs up to f / (1 - f) bytes of rewriting (Rosenblum
 * and Ousterhout 1992, who clean the emptiest first too).
 */
@NullMarked
package io.teff.recovery.clean;

import org.jspecify.annotations.NullMarked;
