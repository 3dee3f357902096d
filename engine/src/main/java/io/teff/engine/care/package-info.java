/**
 * The care of a whole store: statistics, audits, walks over all chunks and all memory, defragmentation, giving memory
 * back to the kernel, and close.
 *
 * <p>{@link io.teff.engine.care.StoreCare} provides moments in which nothing changes; the other classes do their work
 * in such a moment. Only the defragmentation runs beside the application's operations.
 */
@NullMarked
package io.teff.engine.care;

import org.jspecify.annotations.NullMarked;
