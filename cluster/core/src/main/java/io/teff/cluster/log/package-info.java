/**
 * The messages of a node to its operators.
 *
 * <p><b>Promise.</b> Each event of {@link io.teff.cluster.log.NodeEvent} is a line with a level and the kind of event,
 * sent to the node's only {@link java.lang.System.Logger}. A frequent kind of event writes some lines, and then the
 * number of omitted lines: neither a stranger nor a failing disk fills a log.
 *
 * <p><b>Neighbours.</b> A ground floor: this package needs the clock alone. All rooms of a node write to the node's
 * log; the process that runs the node chooses the logger.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.log.NodeEvent}, then {@link io.teff.cluster.log.NodeLog}.
 */
@NullMarked
package io.teff.cluster.log;

import org.jspecify.annotations.NullMarked;
