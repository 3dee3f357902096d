/**
 * Messages and requests between nodes that are named by a number, the NID, for many threads on each side.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.net.Network} is the face. Its configuration is in {@code config}, types
 * of messages, handlers and exceptions are in {@code message}, statistics in {@code report}; {@code transport} is the
 * interface of what carries bytes. The other rooms are the machine.
 *
 * <p><b>Way of a message.</b> The sender's thread writes the message to an array and copies it into a frame of the send
 * buffer of the connection ({@code stream}, {@code ring}), without a lock. The agent of the connection ({@code agent})
 * hands long runs of frames to a link. On the other side the bytes are cut into frames and checked ({@code wire}), and
 * the dispatcher brings the messages to their handlers, by their lanes ({@code stream}).
 * <pre>
 *  Network ──&gt; agent ──&gt; stream ──&gt; ring ──&gt; wire
 *                │          │
 *                └──────────┴──&gt; message, config, counter, thread, event, os
 *                └──&gt; transport &lt;── loop, and the modules with other transports
 * </pre>
 *
 * <p><b>Promise.</b> Within a session each message is handled once, in the order of its lane; a session survives links
 * that break. A request ends once. Memory is bounded: for outgoing frames by the sizes of the send buffers, for
 * incoming ones by the window that the peer was granted, and for messages of many frames by the lengths that their
 * types allow.
 *
 * <p><b>Fault model.</b> Links break at any byte, stall, and are slow; nodes stop and return as another incarnation;
 * strangers send anything. Nodes that know the cluster's secret do not lie, but may be wrong.
 *
 * <p>{@code docs/MESSAGING.md} has the design, {@code docs/PROTOCOL.md} the bytes. A network has one agent or several,
 * each with its own connections. An agent is given its clock, random numbers and transports, so a simulator drives the
 * same classes in one thread.
 */
@NullMarked
package io.teff.cluster.net;

import org.jspecify.annotations.NullMarked;
