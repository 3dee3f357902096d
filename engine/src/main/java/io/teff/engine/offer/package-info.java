/**
 * The memory of a store for readers outside of its process, which read chunks without the help of its threads: by RDMA,
 * or by shared memory.
 *
 * <p><b>Promise.</b> A reader that takes the steps of {@link io.teff.engine.offer.OfferLayout} gets bytes that the
 * chunk had at one moment between the begin and the end of the read, or finds that it has to read again or to ask. It
 * never takes torn bytes, bytes of another chunk, or bytes that were replaced before it began. It writes nothing, and
 * no thread of the store notices it.
 *
 * <p><b>Assumptions.</b> Whatever copies memory for the reader copies 8 aligned bytes at once, and begins a read that
 * the reader orders behind another one only when the other one has ended.
 *
 * <p><b>Cost.</b> While memory is offered, the store gives none of it back to the kernel. What registers the memory for
 * a device commits all of it, up to the limit of the store and an eighth more.
 *
 * <p><b>Neighbours.</b> Exported to the module of one-sided reads alone; applications do not see it. Start with {@link
 * io.teff.engine.offer.MemoryOffer}.
 */
@NullMarked
package io.teff.engine.offer;

import org.jspecify.annotations.NullMarked;
