/**
 * Ways to send messages side by side, between nodes of one machine: {@code ./teff bench net}.
 *
 * <p><b>Promise.</b> Every way carries messages of the same lengths between the same number of nodes by the same number
 * of threads, both ends in one JVM that was started for it alone, and each counted message has reached a handler.
 * <b>Neighbours.</b> The processes are in {@code session}, rounds and tables in {@code report}. Read {@link
 * io.teff.test.bench.net.Nodes} first.
 */
package io.teff.test.bench.net;
