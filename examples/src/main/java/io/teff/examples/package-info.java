/**
 * Small programs to copy from, one topic each.
 *
 * <p>Each has a {@code main}, prints a short result, and is run by a test that compares what it prints.
 * {@code ./teff run examples/src/main/java/io/teff/examples/FirstStore.java} runs one from the command line. A copy
 * needs the dependency {@code io.teff:teff-engine}, or {@code teff-recovery} for a durable store, or {@code teff-nio}
 * for nodes that talk over TCP.
 *
 * <ol>
 * <li>{@link io.teff.examples.FirstStore}: create, read, change and remove a chunk.
 * <li>{@link io.teff.examples.FieldsAndCounters}: values inside of a chunk, changed atomically by many threads.
 * <li>{@link io.teff.examples.ViewsInPlace}: a whole chunk in place, without a copy.
 * <li>{@link io.teff.examples.Batches}: many chunks in one call.
 * <li>{@link io.teff.examples.NamedCollections}: maps, sorted maps, lists and queues, found by name.
 * <li>{@link io.teff.examples.TypedRecords}: objects as chunks, by a codec derived from a record.
 * <li>{@link io.teff.examples.SnapshotAndRestore}: a store in a file, and a store from that file.
 * <li>{@link io.teff.examples.SurvivesKill}: a durable store whose process is killed.
 * <li>{@link io.teff.examples.TwoNodes}: messages and requests between two nodes.
 * <li>{@link io.teff.examples.StoreOrCluster}: the same program on a store of its process and on a cluster.
 * <li>{@link io.teff.examples.graph.ClassGraphExample}: linked chunks; the classes of a program as a graph.
 * </ol>
 *
 * <p>A cache with the API of JCache is in the bridge {@code io.teff.bridge.jcache}.
 */
@NullMarked
package io.teff.examples;

import org.jspecify.annotations.NullMarked;
