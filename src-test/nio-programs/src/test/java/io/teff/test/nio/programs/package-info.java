/**
 * Programs that others wrote for {@code java.nio}, unchanged, over the selector provider.
 *
 * <p><b>Contents.</b> For each program a test, and the main classes of its processes. {@code Program} is a process as
 * its test sees it, {@code Told} is the other end: what a process tells its test. {@code NettySuite} runs netty's own
 * tests of its transport.
 *
 * <p><b>Promise.</b> Each test shows that links by UCX were used, that the program did its work, that a process without
 * the provider reaches the same server, and that all processes end by themselves.
 *
 * <p><b>Fault model.</b> A process that hangs shows its threads and fails its test.
 *
 * <p><b>Neighbours.</b> Uses the selector provider by system properties; the libraries are on no other class path.
 * Start with {@code TomcatTest}.
 */
package io.teff.test.nio.programs;
