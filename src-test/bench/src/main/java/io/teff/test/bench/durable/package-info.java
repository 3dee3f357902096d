/**
 * Teff's durable store beside others that keep things on a disk: {@code ./teff bench durable}.
 *
 * <p><b>Promise.</b> Every store does the same operations on the same values by the same loops, in JVMs of its own, on
 * the same disk, beside plain loops that say what the disk can do at that time; what is read back is checked.
 * <b>Neighbours.</b> Folders and plain loops are in {@code disk}, the processes in {@code session}. Read
 * {@link io.teff.test.bench.durable.Keeper} and {@link io.teff.test.bench.durable.DurableShape} first.
 */
package io.teff.test.bench.durable;
