/**
 * Operations of UCX and messages: requests, tagged messages, active messages.
 *
 * <p><b>Contents.</b> Each operation has a {@link io.teff.rdma.ucx.message.UcxRequest}, which is made once and used
 * again and again. A {@link io.teff.rdma.ucx.message.UcxTagMessage} is the place of a message that a probe has found. A
 * {@link io.teff.rdma.ucx.message.UcxMessageHandler} gets a {@link io.teff.rdma.ucx.message.UcxMessage} for each active
 * message.
 *
 * <p><b>Promise.</b> An operation allocates nothing, and UCX calls nothing back for an operation. The exception, which
 * UCX demands, is the handler of active messages. Failures of operations are values: {@link
 * io.teff.rdma.ucx.UcxStatus}.
 *
 * <p><b>The caller's part.</b> The arena of a segment must not be closed while an operation uses the segment.
 *
 * <p><b>Fault model.</b> Short buffers, failing peers, throwing handlers, and requests used twice at a time.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ucx.call}. Used by {@code io.teff.rdma.ucx.memory} and {@code
 * io.teff.rdma.ucx.worker}. Start with {@link io.teff.rdma.ucx.message.UcxRequest}.
 */
@NullMarked
package io.teff.rdma.ucx.message;

import org.jspecify.annotations.NullMarked;
