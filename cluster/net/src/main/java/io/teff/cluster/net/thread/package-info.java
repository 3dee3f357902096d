/**
 * Threads of a network: threads for handlers, idling and sleeping, and calls of application code whose exceptions must
 * end no thread.
 */
@NullMarked
package io.teff.cluster.net.thread;

import org.jspecify.annotations.NullMarked;
