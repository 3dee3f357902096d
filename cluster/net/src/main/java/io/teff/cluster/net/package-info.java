/**
 * Messages and requests between nodes that are named by a number, for many threads on each side.
 *
 * <p><b>Way of a message.</b> A thread writes it to an array and copies it into a frame of the connection's send buffer
 * ({@code ring}), without a lock ({@code Sender}). Its agent ({@code Agent}) gives long runs of frames to a link
 * ({@link io.teff.cluster.net.transport}). On the other side its bytes are cut into frames and looked at ({@code
 * wire}), and a {@code Dispatcher} brings them to handlers, by their lanes.
 *
 * <p><b>Promise.</b> Within a session each message is handled once, in the order of its lane; a session survives links
 * that break. A request ends once. Memory is bounded: of what is sent by the size of the send buffers, of what comes in
 * by the window that the other side was given, and of messages of many frames by the lengths that their types allow.
 *
 * <p><b>Fault model.</b> LinkTable break at any byte, stall, and are slow; nodes stop and come back as another incarnation;
 * strangers send anything. Who knows the cluster's secret does not lie, but may be wrong.
 *
 * <p>{@code docs/MESSAGING.md} has the design, {@code docs/PROTOCOL.md} the bytes. A network has one agent or several,
 * each with connections of its own; an agent is given its clock, chance and transports, so a simulator drives the same
 * classes in one thread.
 */
@NullMarked
package io.teff.cluster.net;

import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.LinkTable;
import io.teff.cluster.net.stream.Dispatcher;
import io.teff.cluster.net.stream.Sender;
import org.jspecify.annotations.NullMarked;
