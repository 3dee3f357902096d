/**
 * Sessions and what flows in them: messages, requests, their fragments, lanes and credits.
 *
 * <p><b>Start here.</b> {@code Session} is a stream of frames in each direction that outlives its links. Outgoing:
 * {@code Sender}, {@code MessageBuffer}, {@code OutgoingMessage}, and the {@code Backlog} of what waits for room.
 * Incoming: {@code Dispatcher}, {@code Delivery}, {@code Lanes}, and {@code IncomingMessage} for messages in fragments.
 * {@code Requests} has the requests that wait for their answers.
 *
 * <p><b>Promise.</b> Each message of a session is handled once, in the order of its lane; each request ends once. What
 * a session keeps of the incoming stream is bounded by its window.
 *
 * <p><b>Neighbours.</b> Knows nothing of links and agents: the other node is a {@code Peer}, whose {@code signal} wakes
 * the agent that sends.
 */
@NullMarked
package io.teff.cluster.net.stream;

import org.jspecify.annotations.NullMarked;
