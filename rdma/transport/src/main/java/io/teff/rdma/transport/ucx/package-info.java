/**
 * The transport {@code ucx:} over OpenUCX: shared memory between processes of a machine, TCP, and RDMA. UCX chooses the
 * best transport for each peer.
 *
 * <p>A link has a TCP connection of the JDK and an endpoint of UCX on either side. The dialer connects to the socket
 * address of the listener. Over the <em>connection</em> both sides send HELLO: a number for the link, and the address
 * of the worker. By this address each side connects again. This endpoint is the <em>path</em>. Over the path bytes
 * follow as active messages, <em>pieces</em> of at most 8 KB. Each piece has the receiver's number and the place in the
 * order. The last piece is CLOSE. The connection ends with the process at once. UCX does not notice the end of a
 * process over shared memory.
 *
 * <pre>
 *  dialer                                                            listener
 *    connects to the socket address  ───────connection──────────&gt;      accepts
 *    HELLO number, worker's address  ───────connection──────────&gt;
 *                                    &lt;──────connection───────────      HELLO number, worker's address
 *    a message without bytes         ──────────path─────────────&gt;      the link is open
 *                                    &lt;─────────path──────────────      a message without bytes
 *    messages                        &lt;─────────path─────────────&gt;      messages
 *    CLOSE                           ──────────path─────────────&gt;      ends path and connection
 * </pre>
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the link is reported as lost. A link in a steady state
 * allocates nothing, and holds memory only for bytes that UCX has not sent yet. An idle agent sleeps in the descriptor
 * of the worker.
 *
 * <p><b>Back-pressure.</b> A link has at most 16 pieces that UCX has not finished; further bytes are not taken.
 * Arriving bytes are handed on at once, so the receiver needs no credit.
 *
 * <p><b>Start here.</b> {@code UcxTransport} is the transport, {@code UcxLinks} the work of a worker, {@code
 * ControlConnections} the TCP connections beside the paths, {@code UcxLink} a link, and {@code UcxLinkState} the states
 * of a link.
 */
@NullMarked
package io.teff.rdma.transport.ucx;

import org.jspecify.annotations.NullMarked;
