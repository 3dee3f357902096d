/**
 * The allocator: divides a region into units, pages and slots.
 *
 * <p><b>Promise.</b> A slot is handed out to one caller at a time. A wrong free (double free, inner address, other
 * size, address of another store) is detected before any change. Shortage is a return value. No allocator state lies in
 * or next to a payload. <b>Threads.</b> An {@link io.teff.engine.alloc.AllocStripe} is used only by the thread that
 * holds it; everything else is thread-safe. <b>Neighbours.</b> Uses {@code memory}; knows nothing of chunks or ids.
 * <b>Start</b> with {@link io.teff.engine.alloc.SizeClasses} and {@link io.teff.engine.alloc.PageLayout}, then read
 * {@link io.teff.engine.alloc.PageControl}, {@link io.teff.engine.alloc.Allocator} and
 * {@link io.teff.engine.alloc.RunMap}.
 */
@NullMarked
package io.teff.engine.alloc;

import org.jspecify.annotations.NullMarked;
