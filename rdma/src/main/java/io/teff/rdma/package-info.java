/**
 * The rdma house: bytes between nodes past the kernel, by ibverbs and UCX.
 *
 * <p><b>State.</b> Planned, not built. This page is the room's contract; there is no code behind it yet.
 *
 * <p><b>What will live here.</b> Bindings of the two native libraries through the JDK's foreign function interface,
 * without any C of our own, and two transports of the cluster on top of them: {@code verbs:} with reliable-connected
 * queue pairs, and {@code ucx:} with endpoints.
 *
 * <p><b>Promise.</b> The same as every transport's: in order, once, or reported as lost. A machine without the
 * hardware or the libraries is told so in one sentence, and loses nothing else. Registered memory has a budget.
 *
 * <p><b>Fault model.</b> Libraries that are missing or of another version, completions with an error, a queue that is
 * full, a peer that is gone while work on its memory is under way.
 *
 * <p><b>Neighbours.</b> Will implement the cluster's transport interface and be found by it as a service; it stands
 * alone until that interface exists. Needs native access; nothing else in the project calls a network library.
 */
@NullMarked
package io.teff.rdma;

import org.jspecify.annotations.NullMarked;
