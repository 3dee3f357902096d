/**
 * The ground floor of the binding of UCX: the layout of the structs, the functions of libucp, and the calls from UCX
 * into Java.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.ucx.call.UcpLayout} has the offsets of the structs. {@link
 * io.teff.rdma.ucx.call.SetupCall} has the functions that create, query and destroy objects, {@link
 * io.teff.rdma.ucx.call.DataCalls} the functions of the data path, {@link io.teff.rdma.ucx.call.Callbacks} the calls
 * from UCX. {@link io.teff.rdma.ucx.call.WorkerProgress} is the inner side of a worker: requests, endpoints, listeners
 * and messages know {@code WorkerProgress} and not the worker. {@link io.teff.rdma.ucx.call.RequestState} is the inner
 * side of a request, {@link io.teff.rdma.ucx.call.EndpointCore} of an endpoint, {@link
 * io.teff.rdma.ucx.call.ContextCore} of a context.
 *
 * <p><b>Promise.</b> A call of the data path allocates nothing. No exception leaves a call from UCX. UCX's signal
 * handlers stay out of the JVM.
 *
 * <p><b>Fault model.</b> A missing library, a library that is too old, numbers of objects that were closed, damaged
 * addresses and keys.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ffi} and {@code io.teff.rdma.ucx}. Used by the rooms {@code
 * message}, {@code memory} and {@code worker}; not exported. Start with {@link io.teff.rdma.ucx.call.WorkerProgress}.
 */
@NullMarked
package io.teff.rdma.ucx.call;

import org.jspecify.annotations.NullMarked;
