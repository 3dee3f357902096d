/**
 * Sessions, and the contents of their streams: messages, requests, fragments, lanes and credits.
 *
 * <p><b>Start here.</b> {@code Session} is a stream of frames in each direction, and outlives its links. Outgoing:
 * {@code Sender}, {@code MessageBuffer}, {@code OutgoingMessage}, and the {@code Backlog} of frames waiting for room.
 * Incoming: {@code Dispatcher}, {@code Delivery}, {@code Lanes}, and {@code IncomingMessage} for messages in fragments.
 * {@code PendingRequests} has the requests waiting for their answers.
 *
 * <p><b>Promise.</b> Each message of a session is handled once, in the order of its lane; each request ends once. The
 * window of a session bounds the kept part of the incoming stream.
 *
 * <p><b>Neighbours.</b> Knows nothing of links and agents: the other node is a {@code RemoteNode}, whose
 * {@code signal} wakes the sending agent.
 */
@NullMarked
package io.teff.cluster.net.stream;

import org.jspecify.annotations.NullMarked;
