/**
 * The snapshot file: blocks with checksums, written from front to end.
 *
 * <p><b>Promise.</b> A reader gets exactly the bodies that were written, in order, up to the end block, or an exception
 * that names file and offset. <b>Fault model.</b> Any flipped bits, truncation at any byte, blocks lost or out of
 * place. <b>Neighbours.</b> {@link io.teff.engine.snapshot.BlockReader} and
 * {@link io.teff.engine.snapshot.BlockWriter} know neither tables nor chunks; the other classes use both.
 * <b>Start here.</b> {@link io.teff.engine.snapshot.Snapshots}; the bytes are in
 * {@link io.teff.engine.snapshot.SnapshotLayout} and {@code docs/FORMATS.md}.
 */
@NullMarked
package io.teff.engine.snapshot;

import org.jspecify.annotations.NullMarked;
