/**
 * The {@code heap} command: a report of what fills a store, from its snapshot, and the memory that planned chunks take.
 *
 * <p><b>Promise.</b> Every figure is computed by the engine: this package writes {@link
 * io.teff.engine.report.HeapReport} and {@link io.teff.engine.report.HeapPlan} as text, JSON or a picture. A damaged or
 * inconsistent file ends the command with exit code 1, and the message names the offset. <b>Neighbours.</b> {@code
 * console} formats figures, progress and JSON. Start with {@link io.teff.tools.heap.HeapCommand}.
 */
@NullMarked
package io.teff.tools.heap;

import org.jspecify.annotations.NullMarked;
