/**
 * The transport {@code ucx:} over OpenUCX: shared memory between processes of a machine, TCP, and RDMA, whichever UCX
 * finds to be best for a peer.
 *
 * <p>A link has a TCP connection of the JDK and an endpoint of UCX on either side. The dialer connects to the socket
 * address of the listener; over the <em>connection</em> both send HELLO: the number by which they know the link, and
 * the address of their worker. By that address each connects again; over this endpoint, the <em>path</em>, bytes follow
 * as active messages, <em>pieces</em> of at most 8 KB, each with the receiver's number and its place in the order; and
 * at the end CLOSE. The connection ends with the process at once, which UCX does not notice over shared memory.
 *
 * <pre>
 *  dialer                                                            listener
 *    connects to the socket address  ───────connection──────────&gt;      accepts
 *    HELLO number, worker's address  ───────connection──────────&gt;
 *                                    &lt;──────connection───────────      HELLO number, worker's address
 *    a message without bytes         ──────────path─────────────&gt;      the link is open
 *    messages                        &lt;─────────path─────────────&gt;      messages
 *    CLOSE                           ──────────path─────────────&gt;      ends path and connection
 * </pre>
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the link is reported as lost. A link in a steady state
 * allocates nothing, and has memory of its own only for bytes that UCX has not sent yet. An idle agent sleeps in the
 * descriptor of its worker.
 *
 * <p><b>Back-pressure.</b> A link has at most 16 pieces that UCX has not finished; further ones are not taken. Bytes
 * that arrive are handed on at once, so the receiver needs no credit.
 *
 * <p><b>Start here.</b> {@code UcxTransport} is the transport, {@code UcxLinks} the work of one worker, {@code
 * Connections} the TCP beside it, and {@code UcxLink} the link.
 */
@NullMarked
package io.teff.rdma.transport.ucx;

import org.jspecify.annotations.NullMarked;
