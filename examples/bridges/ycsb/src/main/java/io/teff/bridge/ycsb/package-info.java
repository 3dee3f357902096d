/**
 * Teff under the Yahoo! Cloud Serving Benchmark.
 *
 * <p><b>Promise.</b> {@link io.teff.bridge.ycsb.TeffDb} is a binding for the official core of YCSB: each operation of a
 * workload is one operation on a map of a store, of a durable store or of a cluster.
 * {@link io.teff.bridge.ycsb.YcsbRun} runs a workload with data integrity: each field of each read is compared with the
 * value that its key and name determine.
 * <p><b>Neighbours.</b> Stores are opened by the modules of the engine, of recovery and of the cluster.
 * <p><b>Start here:</b> {@link io.teff.bridge.ycsb.YcsbRun}.
 */
package io.teff.bridge.ycsb;
