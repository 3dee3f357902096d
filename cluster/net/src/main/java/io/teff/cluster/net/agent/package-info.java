/**
 * Agents: the duty cycle of a network, its links, and the connections to other nodes.
 *
 * <p><b>Start here.</b> {@code Agent} has the duty cycle; it never waits. {@code Connection} is another node as this
 * one knows it, with the state of its link ({@code LinkState}); {@code Channel} is one link from its greeting to its
 * end; {@code Handshakes} decides which link stays and which session it carries; {@code Dialer} makes links, and {@code
 * LinkLimit} closes the least recently used one when there are too many.
 *
 * <p><b>Threads.</b> Each connection belongs to one agent, and all its work happens in that agent's thread. Threads
 * that put frames reach the agent only through {@code Connection.signal}.
 *
 * <p><b>Neighbours.</b> Uses {@code stream}, which knows agents only as {@code Peer}, and {@code transport}.
 */
@NullMarked
package io.teff.cluster.net.agent;

import org.jspecify.annotations.NullMarked;
