/**
 * Devices of libibverbs: the list of devices, an open device with its ports and addresses, protection domains, and
 * registered memory.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.verbs.device.Verbs} lists devices; an {@link
 * io.teff.rdma.verbs.device.RdmaContext} is an open device. A context makes {@link
 * io.teff.rdma.verbs.device.ProtectionDomain}s, and a domain makes {@link io.teff.rdma.verbs.device.MemoryRegion}s and
 * {@link io.teff.rdma.verbs.device.AddressHandle}s. The package also holds the values that the other rooms read: {@link
 * io.teff.rdma.verbs.device.Gid}, {@link io.teff.rdma.verbs.device.PathAddress}, {@link
 * io.teff.rdma.verbs.device.PathMtu} and {@link io.teff.rdma.verbs.device.Access}.
 *
 * <p><b>Promise.</b> Any thread may use any object: calls of one object exclude each other. Objects close their
 * dependents first. A call of a closed object throws {@link java.lang.IllegalStateException}. A failed call throws an
 * {@link io.teff.rdma.RdmaException} with its errno.
 *
 * <p><b>The caller's part.</b> Registered memory must not be unmapped before the region is closed: the arena of a
 * registered segment closes after the region. Memory of {@link io.teff.rdma.verbs.device.ProtectionDomain#allocate} has
 * no such rule.
 *
 * <p><b>Fault model.</b> Missing libraries and devices, a kernel without RDMA, limits of locked memory, ports that go
 * down.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.verbs.call}. Used by {@code io.teff.rdma.verbs.queue} and {@code
 * io.teff.rdma.verbs.connect}. Start with {@link io.teff.rdma.verbs.device.Verbs}.
 */
@NullMarked
package io.teff.rdma.verbs.device;

import org.jspecify.annotations.NullMarked;
