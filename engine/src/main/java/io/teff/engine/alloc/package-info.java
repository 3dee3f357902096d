/**
 * The allocator: divides a region into units, pages and slots.
 *
 * <p><b>Promise.</b> A slot is handed out to one caller at a time; a wrong free (twice, inner address, other size,
 * other store) is detected before it changes anything. Shortage is a value. No state lies in or next to a payload.
 * <p><b>Threads.</b> An {@link io.teff.engine.alloc.AllocStripe} is used by the thread that holds it; everything else
 * is thread-safe. <b>Neighbours.</b> Uses {@code memory}; knows nothing of chunks or ids. Read
 * {@link io.teff.engine.alloc.SizeClasses} and {@link io.teff.engine.alloc.PageLayout} first, then
 * {@link io.teff.engine.alloc.PageControl}, {@link io.teff.engine.alloc.Allocator} and {@link
 * io.teff.engine.alloc.RunMap}.
 */
@NullMarked
package io.teff.engine.alloc;

import org.jspecify.annotations.NullMarked;
