/**
 * Ways to write and read files side by side, on the disk that a folder is on: {@code ./teff bench disk}.
 *
 * <p><b>Promise.</b> Every way writes the same bytes to the same places of one file, in a JVM of its own, and what it
 * reads back is checked. <b>Neighbours.</b> The processes are in {@code session}; the comparison of durable stores uses
 * the folder and the calls. Read {@link io.teff.test.bench.disk.Access} first.
 */
package io.teff.test.bench.disk;
