/**
 * Algorithms of one's own in some thirty lines, by two kinds of programs.
 *
 * <p>A {@link io.teff.graph.algorithms.program.VertexProgram} computes each vertex in supersteps and sends messages
 * along arcs, as Pregel does. A {@link io.teff.graph.algorithms.program.FrontierProgram} spreads from a set of vertices
 * to their neighbours, as Ligra does, and the engine chooses the direction of each step.
 *
 * <p><b>Contract.</b> State of vertices and messages are packed bytes of a fixed length. A program object has settings
 * and nothing that changes: each method reads and writes the arguments alone. So a program does not notice where a
 * vertex lives, and a message may cross a network. {@link io.teff.graph.algorithms.program.Supersteps} and {@link
 * io.teff.graph.algorithms.program.Rounds} work on one machine; {@link io.teff.graph.algorithms.program.PartRun} works
 * on one part of a graph, for {@code io.teff.graph.cluster}.
 *
 * <p><b>Promise.</b> Any number of threads gives equal results. For a frontier program this needs a
 * {@link io.teff.graph.algorithms.program.FrontierProgram#receive receive} that does not depend on the order of
 * messages.
 */
@NullMarked
package io.teff.graph.algorithms.program;

import org.jspecify.annotations.NullMarked;
