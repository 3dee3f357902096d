/**
 * What a node tells the people who run it.
 *
 * <p><b>Promise.</b> Each event of {@link io.teff.cluster.log.NodeEvent} is one line with a level and the kind of
 * event, sent to one {@link java.lang.System.Logger} per node. A kind of event that happens often writes some lines,
 * and then the number of those that were left out: neither a stranger nor a failing disk fills a log.
 *
 * <p><b>Neighbours.</b> A ground floor: it needs the clock alone. All rooms of a node write to its log; the process
 * that runs the node chooses the logger.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.log.NodeEvent}, then {@link io.teff.cluster.log.NodeLog}.
 */
@NullMarked
package io.teff.cluster.log;

import org.jspecify.annotations.NullMarked;
