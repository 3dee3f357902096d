/**
 * Jobs and compute groups of a store: work that runs where the data are.
 *
 * <p><b>Promise.</b> A job runs at the owner of its chunk, and its changes of this zone are made together or not at
 * all. A job that fails has a typed failure ({@link io.teff.engine.compute.JobException}). A program with jobs has the
 * same results on a store of this JVM and on a cluster.
 *
 * <p><b>Neighbours.</b> Applications implement {@link io.teff.engine.ChunkJob} and {@link io.teff.engine.GroupTask};
 * the service loader finds both. This package knows no store.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.ChunkStore#compute} returns a {@link io.teff.engine.compute.Compute}.
 */
@NullMarked
package io.teff.engine.compute;

import org.jspecify.annotations.NullMarked;
