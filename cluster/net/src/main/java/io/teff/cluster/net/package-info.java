/**
 * Messages and requests between nodes named by a number, the NID, for many threads on each side.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.net.Network} is the face. The configuration is in {@code config}, types
 * of messages, handlers and exceptions are in {@code message}, statistics in {@code report}; {@code transport} is the
 * interface to the carriers of bytes. All further rooms are the machine.
 *
 * <p><b>Way of a message.</b> The sender's thread writes the message to an array and copies it into a frame of the send
 * buffer of the connection ({@code stream}, {@code ring}), without a lock. The agent of the connection ({@code agent})
 * hands long runs of frames to a link. On the other side the bytes are cut into frames and checked ({@code wire}), and
 * the dispatcher brings the messages to their handlers, by lane ({@code stream}).
 * <pre>
 *  Network ──&gt; agent ──&gt; stream ──&gt; ring ──&gt; wire
 *                │          │
 *                └──────────┴──&gt; message, config, counter, thread, event, os
 *                └──&gt; transport &lt;── loop, and the modules with other transports
 * </pre>
 *
 * <p><b>Promise.</b> Within a session each message is handled once, in the order of its lane; a session survives broken
 * links. A request ends once. Memory is bounded: outgoing frames by the sizes of the send buffers, incoming frames by
 * the window granted to the peer, and messages of many frames by the lengths allowed by their types.
 *
 * <p><b>Fault model.</b> Links break at any byte, stall, and are slow; nodes stop and return with another life;
 * strangers send anything. Nodes with the cluster's secret do not lie, but may be wrong.
 *
 * <p>{@code docs/MESSAGING.md} has the design, {@code docs/PROTOCOL.md} the bytes. A network has one or more agents.
 * Each agent has its own connections. The caller supplies an agent's clock, random numbers and transports, so a
 * simulator drives the same classes in one thread.
 */
@NullMarked
package io.teff.cluster.net;

import org.jspecify.annotations.NullMarked;
