/**
 * The {@code graph} commands: graphs of files, generators and real data in a durable store, and questions about them.
 *
 * <p><b>Promise.</b> A question changes nothing on the disk. Answers go to standard output, as text or as one JSON
 * document; progress and faults go to standard error. <b>Neighbours.</b> Uses {@code console}, and the library
 * {@code io.teff.graph}. Start with {@link io.teff.tools.graph.GraphCommand}.
 */
@NullMarked
package io.teff.tools.graph;

import org.jspecify.annotations.NullMarked;
