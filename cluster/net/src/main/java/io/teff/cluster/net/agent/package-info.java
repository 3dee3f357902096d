/**
 * Agents: the duty cycle of a network, its links, and the connections to other nodes.
 *
 * <p><b>Start here.</b> {@code Agent} has the duty cycle; an agent never waits. {@code Connection} is another node as
 * known to this node, with the state of its link ({@code LinkState}); {@code Channel} is one link from greeting to end;
 * {@code Handshakes} decides which link stays and which session the link carries; {@code Dialer} makes links, and
 * {@code LinkLimit} closes the least recently used link when too many are open.
 *
 * <p><b>Threads.</b> Each connection belongs to one agent, and all work of the connection happens in the thread of the
 * agent. Threads that put frames reach the agent only through {@code Connection.signal}.
 *
 * <p><b>Neighbours.</b> Uses {@code stream}, which knows agents only as {@code Peer}, and {@code transport}.
 */
@NullMarked
package io.teff.cluster.net.agent;

import org.jspecify.annotations.NullMarked;
