/**
 * The console: a cluster in a browser, and its figures for Prometheus.
 *
 * <p><b>Content.</b> {@link io.teff.cluster.console.Console} is a small server of HTTP inside a node. {@code Picture}
 * asks the cluster at most every two seconds, however many browsers ask. {@code ConsoleServer} routes requests, {@code
 * Guard} refuses what is no request of the console's own page, {@code Streams} sends events.
 *
 * <p><b>Promise.</b> A request without the operators' token changes nothing. A stranger's requests occupy a bounded
 * number of threads and connections for a bounded time, and no request reaches the cluster more often than every two
 * seconds, or, for a question of its own, five times a second.
 *
 * <p><b>Neighbours.</b> Of the cluster, the console uses {@code io.teff.cluster.admin} alone. The terminal starts the
 * console, and implements {@link io.teff.cluster.console.Browser}. The core knows nothing of HTTP.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.console.Console}.
 */
@NullMarked
package io.teff.cluster.console;

import org.jspecify.annotations.NullMarked;
