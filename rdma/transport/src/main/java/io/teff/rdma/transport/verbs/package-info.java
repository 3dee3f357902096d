/**
 * The transport {@code verbs:} over RDMA devices, by libibverbs and librdmacm.
 *
 * <p>A link is a reliable connection (RC), made by the connection manager. Bytes are sent in messages of at most 8 KiB
 * from registered buffers. The peer's device puts each message into a buffer of a receive queue. All links of an agent
 * and a device share the receive queue. The devices keep the order of messages. A device acknowledges a message when
 * the message is in the memory of the peer.
 *
 * <pre>
 *  dialer                                                     listener
 *    resolves address and route
 *    connects, names the protocol   ────────────────────────>   makes a queue pair, accepts, names the protocol
 *    messages                       &lt;───────────────────────>   messages
 *    waits for all acknowledgements, disconnects ───────────>   reads the last messages; the link ends
 * </pre>
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the link is reported as lost. A link in a steady state
 * allocates nothing. An idle agent sleeps in the descriptors of all devices.
 *
 * <p><b>Back-pressure.</b> A link has at most 16 messages without an acknowledgement. If the receive queue of the peer
 * is empty, the device of the peer asks to send again later.
 *
 * <p><b>Start here.</b> {@code VerbsTransport} is the transport, {@code VerbsDevice} the work with one device, {@code
 * VerbsLink} the link.
 */
@NullMarked
package io.teff.rdma.transport.verbs;

import org.jspecify.annotations.NullMarked;
