/**
 * The ground floor of the verbs: the layout of the native structs, the native functions, and the state that all objects
 * of a device share.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.verbs.call.VerbsLayout} has the offsets of the structs, {@link
 * io.teff.rdma.verbs.call.LayoutCheck} compares new structs with the offsets. {@link
 * io.teff.rdma.verbs.call.VerbsLibrary} has the functions of libibverbs, {@link io.teff.rdma.verbs.call.ManagerLibrary}
 * the functions of librdmacm. {@link io.teff.rdma.verbs.call.DataPath} has the functions of posting and polling, which
 * belong to the provider of a device. {@link io.teff.rdma.verbs.call.VerbsObject} is the base of all objects of a
 * device, {@link io.teff.rdma.verbs.call.DeviceCore} their common state, and {@link io.teff.rdma.verbs.call.Handles}
 * the way from an object to its native address.
 *
 * <p><b>Promise.</b> No class of this package makes a native object by itself. A library with another layout is refused
 * before a field is read. Programs never see a native address.
 *
 * <p><b>Fault model.</b> Missing libraries, libraries without a function, structs with another layout.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ffi}. Used by the rooms {@code device}, {@code queue} and {@code
 * connect}; not exported. Start with {@link io.teff.rdma.verbs.call.VerbsLayout}.
 */
@NullMarked
package io.teff.rdma.verbs.call;

import org.jspecify.annotations.NullMarked;
