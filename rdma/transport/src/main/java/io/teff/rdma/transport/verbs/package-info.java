/**
 * The transport {@code verbs:} over RDMA devices, by libibverbs and librdmacm.
 *
 * <p>A link is a reliable connection (RC), which the connection manager makes. Bytes are sent in messages of at most 8
 * KiB from registered pieces; the peer's device puts each into a buffer of a receive queue that all links of an agent
 * and a device share. The device keeps their order, and acknowledges a message when it is in the peer's memory.
 *
 * <pre>
 *  dialer                                                     listener
 *    resolves address and route
 *    connects, says which protocol  ────────────────────────>   makes its queue pair, accepts, says it, too
 *    messages                       &lt;───────────────────────>   messages
 *    waits for all acknowledgements, disconnects ───────────>   reads what has arrived; the link ends
 * </pre>
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the link is reported as lost. A link in a steady state
 * allocates nothing. An idle agent sleeps in the descriptors of its devices.
 *
 * <p><b>Back-pressure.</b> A link has at most 16 messages that the peer's device has not acknowledged. If the peer's
 * shared receive queue is empty, its device asks to send again later.
 *
 * <p><b>Start here.</b> {@code VerbsTransport} is the transport, {@code VerbsDevice} the work with one device, {@code
 * VerbsLink} the link.
 */
@NullMarked
package io.teff.rdma.transport.verbs;

import org.jspecify.annotations.NullMarked;
