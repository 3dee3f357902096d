/**
 * Statistics of a store, and reports of audits, defragmentation, memory and snapshots.
 *
 * <p>The reports and their sources:
 * <ul>
 * <li>{@link io.teff.engine.report.StoreStats} from {@code Store.stats()}: sums that every store maintains, cheap
 *     enough to read every second;</li>
 * <li>{@link io.teff.engine.report.HeapReport} from {@code Store.heap()} or, for a snapshot file,
 *     {@code Store.analyze()}: a walk over all chunks, with a {@link io.teff.engine.report.HeapMap} of the memory;</li>
 * <li>{@link io.teff.engine.report.HeapPlan} from {@code HeapPlan.of()}: the memory that planned chunks will need,
 *     computed without a store;</li>
 * <li>{@link io.teff.engine.report.AuditReport} from {@code Store.audit()}, {@link io.teff.engine.report.DefragReport}
 *     from {@code Store.defragment()}, {@link io.teff.engine.report.SnapshotInfo} from snapshots.</li>
 * </ul>
 * Long operations report to a {@link io.teff.engine.report.Progress}. All values are immutable and can be shared
 * between threads; none refers to a store, so they stay valid after the store is closed. Sizes are in bytes, times in
 * nanoseconds.
 */
@NullMarked
package io.teff.engine.report;

import org.jspecify.annotations.NullMarked;
