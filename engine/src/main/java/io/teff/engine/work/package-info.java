/**
 * The parts of jobs and compute groups that need no store and no network: pools with stealing, messages between
 * workers, trees of nodes.
 *
 * <p><b>Promise.</b> A task of a pool runs at most once. Each queue and each inbox has a bound. A message of a step is
 * in the inbox of its receiver once, whatever is sent twice.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.compute} is the face for applications. The engine uses this room for
 * stores of one JVM, and the cluster for peers.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.work.JobPool}, then {@link io.teff.engine.work.Inbox}.
 */
@NullMarked
package io.teff.engine.work;

import org.jspecify.annotations.NullMarked;
