/**
 * The snapshot file: blocks with checksums, written from front to end.
 *
 * <p><b>Promise.</b> A reader gets exactly the bodies that were written, in order, up to the end block, or an exception
 * that names file and offset. <b>Fault model.</b> Any flipped bits, truncation at any byte, blocks lost or out of
 * place.
 * <b>Neighbours.</b> Knows nothing of tables and chunks; {@code io.teff.engine.snapshot.Snapshots} does. The bytes are
 * in
 * {@link io.teff.engine.snapshot.SnapshotLayout} and {@code docs/FORMATS.md}.
 */
@NullMarked
package io.teff.engine.snapshot;

import org.jspecify.annotations.NullMarked;
