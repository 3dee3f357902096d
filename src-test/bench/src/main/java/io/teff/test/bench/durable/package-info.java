/**
 * Teff's durable store compared with others on a disk: {@code ./teff bench durable}.
 *
 * <p><b>Promise.</b> Every store does the same operations on the same values by the same loops, in JVMs of its own, on
 * the same disk, beside plain loops that show the performance of the disk at that time; the values read back are
 * checked. <b>Neighbours.</b> Folders and plain loops are in {@code disk}, the processes in {@code session}. Read
 * {@link io.teff.test.bench.durable.Keeper} and {@link io.teff.test.bench.durable.DurableShape} first.
 */
package io.teff.test.bench.durable;
