/**
 * Teff's cluster beside Hazelcast and Ignite: {@code ./teff bench grid}.
 *
 * <p><b>Promise.</b> Each system has the same number of data nodes, each in a process on this machine, and one client
 * process. The heaps, the flags and the number of copies are in the report, because the systems differ: Teff keeps
 * backups in logs on disk, the others keep backups in memory. The systems run one after the other. Processor time is
 * that of all processes of a system.
 *
 * <p><b>Neighbours.</b> Processes and clusters are in {@code process}, tables in {@code report}. Read
 * {@link io.teff.test.bench.grid.GridReport} first, then {@link io.teff.test.bench.grid.GridTrial}.
 */
package io.teff.test.bench.grid;
