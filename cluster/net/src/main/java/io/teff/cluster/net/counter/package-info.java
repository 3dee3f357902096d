/**
 * Counters of agents and connections, the source of statistics. Most counters have a single writer and any number of
 * readers.
 */
@NullMarked
package io.teff.cluster.net.counter;

import org.jspecify.annotations.NullMarked;
