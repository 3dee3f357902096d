/**
 * Counters of agents and connections, from which statistics are made. Most have one writer and any number of readers.
 */
@NullMarked
package io.teff.cluster.net.counter;

import org.jspecify.annotations.NullMarked;
