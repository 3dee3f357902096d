/**
 * The {@code heap} command: what fills a store, read from its snapshot, and what planned chunks will take.
 *
 * <p><b>Promise.</b> Every figure is the engine's own: this package only writes {@link
 * io.teff.engine.report.HeapReport} and
 * {@link io.teff.engine.report.HeapPlan} down, as text, JSON or a picture. A file that is damaged or lies ends the
 * command
 * with exit code 1 and the place of the damage. <b>Neighbours.</b> {@code console} has figures, progress and JSON.
 * Start with {@link io.teff.tools.heap.HeapCommand}.
 */
@NullMarked
package io.teff.tools.heap;

import org.jspecify.annotations.NullMarked;
