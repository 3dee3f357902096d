/**
 * The memory of a store for readers outside of the process. Such readers read chunks without the help of the store's
 * threads: by RDMA, or by shared memory.
 *
 * <p><b>Promise.</b> A reader that takes the steps of {@link io.teff.engine.offer.OfferLayout} gets the bytes of the
 * chunk at a moment between the begin and the end of the read, or has to read again or to ask. A reader never takes
 * torn bytes, bytes of another chunk, or bytes replaced before the begin. A reader writes nothing, and no thread of the
 * store notices a reader.
 *
 * <p><b>Assumptions.</b> The device that copies memory for the reader copies 8 aligned bytes at once. If the reader
 * orders a read behind an earlier read, the device begins the later read after the end of the earlier read.
 *
 * <p><b>Cost.</b> While memory is offered, the store gives no memory back to the kernel. A registration for a device
 * commits the whole address space: the limit of the store and an eighth more.
 *
 * <p><b>Stability.</b> Applications open and close a {@link io.teff.engine.offer.MemoryOffer} and answer readers by
 * {@link io.teff.engine.offer.MemoryOffer#place}. These calls stay compatible between versions. The layout of the bytes
 * may change with each version of the engine, so an owner and the owner's readers run the same version.
 *
 * <p><b>Neighbours.</b> The module {@code io.teff.rdma.reads} registers the memory with devices and has a reader. Start
 * with {@link io.teff.engine.offer.MemoryOffer}.
 */
@NullMarked
package io.teff.engine.offer;

import org.jspecify.annotations.NullMarked;
