/**
 * The ground floor of the verbs: the layout of the native structs, the native functions, and the state that all objects
 * of a device share.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.verbs.call.VerbsLayout} has the offsets of the structs, {@link
 * io.teff.rdma.verbs.call.LayoutCheck} compares new structs with the offsets. {@link
 * io.teff.rdma.verbs.call.VerbsLibrary} has the functions of libibverbs, {@link io.teff.rdma.verbs.call.ManagerLibrary}
 * the functions of librdmacm. {@link io.teff.rdma.verbs.call.DataPath} has the functions that post and poll, which
 * belong to the provider of a device.
 *
 * <p><b>Promise.</b> No class of this package makes a native object by itself. A library with another layout is refused
 * before a field is read.
 *
 * <p><b>Fault model.</b> Missing libraries, libraries without a function, structs with another layout.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ffi}. Used by the rooms {@code device}, {@code queue} and {@code
 * connect}; not exported. Start with {@link io.teff.rdma.verbs.call.VerbsLayout}.
 */
@NullMarked
package io.teff.rdma.verbs.call;

import org.jspecify.annotations.NullMarked;
