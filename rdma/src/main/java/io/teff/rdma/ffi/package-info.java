/**
 * The ground floor of the bindings: native libraries, calls of their functions, and lifetimes of native objects.
 *
 * <p><b>Promise.</b> {@link io.teff.rdma.ffi.NativeLibrary} never fails while a class is loaded: without the library,
 * each of its functions throws a {@link io.teff.rdma.RdmaUnavailableException} when it is called. {@link
 * io.teff.rdma.ffi.Downcall} keeps the errno of a call for its thread. {@link io.teff.rdma.ffi.NativeObject} closes
 * dependents before their owners, and keeps calls of closed objects away from native code.
 *
 * <p><b>Fault model.</b> A missing library, a missing function, a JVM that denies native access; threads that close an
 * object while another one uses it; objects that are never closed.
 *
 * <p><b>Neighbours.</b> Used by the packages of the bindings alone; not exported. Start with {@link
 * io.teff.rdma.ffi.NativeLibrary}.
 */
@NullMarked
package io.teff.rdma.ffi;

import org.jspecify.annotations.NullMarked;
