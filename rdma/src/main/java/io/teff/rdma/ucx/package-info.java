/**
 * OpenUCX from Java: messages, streams and remote memory over shared memory, TCP and RDMA, by one interface. This
 * package has the values that all rooms of the binding read.
 *
 * <p><b>Rooms.</b> {@code worker} has contexts, workers, endpoints and listeners; {@code message} has requests and
 * messages; {@code memory} has registered memory and the memory of peers. Start with {@code io.teff.rdma.ucx.worker}.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.ucx.UcxStatus} is the outcome of an operation, {@link
 * io.teff.rdma.ucx.UcxException} a failed call. {@link io.teff.rdma.ucx.UcxFeature}, {@link
 * io.teff.rdma.ucx.UcxThreadMode} and {@link io.teff.rdma.ucx.UcxMessageMode} are choices of the program.
 *
 * <p><b>Promise.</b> Values are immutable and thread-safe. A status that this version does not know keeps its number.
 *
 * <p><b>Fault model.</b> Numbers of a newer library.
 *
 * <p><b>Neighbours.</b> Uses {@code io.teff.rdma} alone; all rooms of the binding use this package. Needs libucp 1.13
 * or newer (Debian: libucx0). Not bound: generic data types, reply endpoints of active messages, memory of graphics
 * cards.
 */
@NullMarked
package io.teff.rdma.ucx;

import org.jspecify.annotations.NullMarked;
