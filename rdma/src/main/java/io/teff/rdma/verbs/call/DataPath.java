package io.teff.rdma.verbs.call;

import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ffi.NativeMemory;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions that post and poll. The C headers inline them: the inlined code calls function pointers in the context,
 * which belong to the provider of the device. The address is therefore an argument of the handles here, which are
 * constants of the class and so of compiled code, however many providers there are.
 *
 * <p>The calls allocate nothing, and take no errno: these functions return it. They do not call back into Java. They
 * are not {@linkplain Linker.Option#critical critical}: some providers, such as the providers of software devices, post
 * by a system call. Immutable; one for each context.
 */
public final class DataPath {
    private static final MethodHandle POST = NativeLibrary.pointer(FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle POLL = NativeLibrary.pointer(FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
    private static final MethodHandle NOTIFY = NativeLibrary.pointer(FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private final MemorySegment pollCq;
    private final MemorySegment notifyCq;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment postSharedReceive;

    /** Reads the table of a context. */
    public DataPath(long context) {
        pollCq = function(context, VerbsLayout.CONTEXT_POLL_CQ);
        notifyCq = function(context, VerbsLayout.CONTEXT_REQ_NOTIFY_CQ);
        postSend = function(context, VerbsLayout.CONTEXT_POST_SEND);
        postReceive = function(context, VerbsLayout.CONTEXT_POST_RECV);
        postSharedReceive = function(context, VerbsLayout.CONTEXT_POST_SRQ_RECV);
    }

    private static MemorySegment function(long context, long offset) {
        LayoutCheck.of("ibv_open_device", context).hasPointer(offset);
        return MemorySegment.ofAddress(NativeMemory.getLong(context + offset));
    }

    /** Takes completions from a queue. Returns their number, or a negative errno. */
    public int poll(long queue, int count, long completions) {
        try {
            return (int) POLL.invokeExact(pollCq, queue, count, completions);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Arms a completion queue for one event. Returns 0 or an errno. */
    public int arm(long queue, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(notifyCq, queue, solicitedOnly);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Posts a chain of sends. Returns 0, or an errno of either sign; then the first refused one is at {@code bad}. */
    public int postSend(long pair, long chain, long bad) {
        try {
            return (int) POST.invokeExact(postSend, pair, chain, bad);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Posts a chain of receives to a queue pair. */
    public int postReceive(long pair, long chain, long bad) {
        try {
            return (int) POST.invokeExact(postReceive, pair, chain, bad);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Posts a chain of receives to a shared receive queue. */
    public int postSharedReceive(long queue, long chain, long bad) {
        try {
            return (int) POST.invokeExact(postSharedReceive, queue, chain, bad);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }
}
