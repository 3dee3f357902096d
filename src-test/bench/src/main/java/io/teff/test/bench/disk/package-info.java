/**
 * Methods to write and read files side by side, on the disk of a folder: {@code ./teff bench disk}.
 *
 * <p><b>Promise.</b> Every method writes the same bytes to the same places of one file, in a JVM of its own, and the
 * bytes read back are checked. <b>Neighbours.</b> The processes are in {@code session}; the comparison of durable
 * stores uses the folder and the calls. Read {@link io.teff.test.bench.disk.Access} first.
 */
package io.teff.test.bench.disk;
