/**
 * Threads of a network: threads that run handlers, how threads idle and sleep, and how code of the application is
 * called so that its exceptions end no thread.
 */
@NullMarked
package io.teff.cluster.net.thread;

import org.jspecify.annotations.NullMarked;
