/**
 * The ground floor of the bindings: native libraries, calls of their functions, and lifetimes of native objects.
 *
 * <p><b>Promise.</b> {@link io.teff.rdma.ffi.NativeLibrary} never fails while a class is loaded: without the library,
 * each function throws a {@link io.teff.rdma.RdmaUnavailableException} at the call. {@link io.teff.rdma.ffi.Downcall}
 * keeps the errno of a call for its thread. {@link io.teff.rdma.ffi.NativeObject} closes dependents before their
 * owners, and keeps calls of closed objects away from native code.
 *
 * <p><b>Fault model.</b> A missing library, a missing function, a JVM that denies native access; a close while another
 * thread uses the object; objects without a close.
 *
 * <p><b>Neighbours.</b> Used by the packages of the bindings alone; not exported. Start with {@link
 * io.teff.rdma.ffi.NativeLibrary}.
 */
@NullMarked
package io.teff.rdma.ffi;

import org.jspecify.annotations.NullMarked;
