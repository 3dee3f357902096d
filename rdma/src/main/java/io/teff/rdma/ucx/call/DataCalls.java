package io.teff.rdma.ucx.call;

import io.teff.rdma.ffi.Downcall;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the data path. Pointers and sizes are {@code long}, so that a call allocates nothing.
 *
 * <p>Functions that begin an operation return 0 (done), a number from -100 to -1 (failed), or the address of a request.
 * None of the handles is critical in the meaning of the linker: UCX may call error handlers in each of them.
 */
public final class DataCalls {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfByte STATUS = ValueLayout.JAVA_BYTE;

    private static final MethodHandle PROGRESS = UcpLibrary.handle("ucp_worker_progress", INT, LONG);
    private static final MethodHandle CHECK = UcpLibrary.handle("ucp_request_check_status", STATUS, LONG);
    private static final MethodHandle TAG_TEST = UcpLibrary.handle("ucp_tag_recv_request_test", STATUS, LONG, LONG);
    private static final MethodHandle STREAM_TEST =
        UcpLibrary.handle("ucp_stream_recv_request_test", STATUS, LONG, LONG);
    private static final MethodHandle FREE = UcpLibrary.procedure("ucp_request_free", LONG);
    private static final MethodHandle CANCEL = UcpLibrary.procedure("ucp_request_cancel", LONG, LONG);
    private static final MethodHandle TAG_SEND =
        UcpLibrary.handle("ucp_tag_send_nbx", LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle TAG_SEND_SYNC =
        UcpLibrary.handle("ucp_tag_send_sync_nbx", LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle TAG_RECEIVE =
        UcpLibrary.handle("ucp_tag_recv_nbx", LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle TAG_PROBE =
        UcpLibrary.handle("ucp_tag_probe_nb", LONG, LONG, LONG, LONG, INT, LONG);
    private static final MethodHandle MESSAGE_RECEIVE =
        UcpLibrary.handle("ucp_tag_msg_recv_nbx", LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle STREAM_SEND =
        UcpLibrary.handle("ucp_stream_send_nbx", LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle STREAM_RECEIVE =
        UcpLibrary.handle("ucp_stream_recv_nbx", LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle ACTIVE_SEND =
        UcpLibrary.handle("ucp_am_send_nbx", LONG, LONG, INT, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle ACTIVE_RECEIVE =
        UcpLibrary.handle("ucp_am_recv_data_nbx", LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle PUT =
        UcpLibrary.handle("ucp_put_nbx", LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle GET =
        UcpLibrary.handle("ucp_get_nbx", LONG, LONG, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle ATOMIC =
        UcpLibrary.handle("ucp_atomic_op_nbx", LONG, LONG, INT, LONG, LONG, LONG, LONG, LONG);
    private static final MethodHandle FENCE = UcpLibrary.handle("ucp_worker_fence", STATUS, LONG);
    private static final MethodHandle WORKER_FLUSH = UcpLibrary.handle("ucp_worker_flush_nbx", LONG, LONG, LONG);
    private static final MethodHandle ENDPOINT_FLUSH = UcpLibrary.handle("ucp_ep_flush_nbx", LONG, LONG, LONG);
    private static final MethodHandle ENDPOINT_CLOSE = UcpLibrary.handle("ucp_ep_close_nbx", LONG, LONG, LONG);

    private DataCalls() {}

    public static int progress(long worker) {
        try {
            return (int) PROGRESS.invokeExact(worker);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static int check(long request) {
        try {
            return (byte) CHECK.invokeExact(request);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Fills {@code info}, a {@code ucp_tag_recv_info_t}, once the receive is over. */
    public static int tagTest(long request, long info) {
        try {
            return (byte) TAG_TEST.invokeExact(request, info);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Fills {@code length}, 8 bytes, once the receive is over. */
    public static int streamTest(long request, long length) {
        try {
            return (byte) STREAM_TEST.invokeExact(request, length);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static void free(long request) {
        try {
            FREE.invokeExact(request);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static void cancel(long worker, long request) {
        try {
            CANCEL.invokeExact(worker, request);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long tagSend(long endpoint, long buffer, long length, long tag, long operation) {
        try {
            return (long) TAG_SEND.invokeExact(endpoint, buffer, length, tag, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long tagSendSync(long endpoint, long buffer, long length, long tag, long operation) {
        try {
            return (long) TAG_SEND_SYNC.invokeExact(endpoint, buffer, length, tag, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long tagReceive(long worker, long buffer, long length, long tag, long mask, long operation) {
        try {
            return (long) TAG_RECEIVE.invokeExact(worker, buffer, length, tag, mask, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /** Returns a message that has arrived and is not received yet, or 0. */
    public static long tagProbe(long worker, long tag, long mask, boolean isTaken, long info) {
        try {
            return (long) TAG_PROBE.invokeExact(worker, tag, mask, isTaken ? 1 : 0, info);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long messageReceive(long worker, long buffer, long length, long message, long operation) {
        try {
            return (long) MESSAGE_RECEIVE.invokeExact(worker, buffer, length, message, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long streamSend(long endpoint, long buffer, long length, long operation) {
        try {
            return (long) STREAM_SEND.invokeExact(endpoint, buffer, length, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long streamReceive(long endpoint, long buffer, long length, long received, long operation) {
        try {
            return (long) STREAM_RECEIVE.invokeExact(endpoint, buffer, length, received, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long activeSend(long endpoint, int id, long header, long headerLength, long buffer, long length,
            long operation) {
        try {
            return (long) ACTIVE_SEND.invokeExact(endpoint, id, header, headerLength, buffer, length, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long activeReceive(long worker, long descriptor, long buffer, long length, long operation) {
        try {
            return (long) ACTIVE_RECEIVE.invokeExact(worker, descriptor, buffer, length, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long put(long endpoint, long buffer, long length, long remote, long key, long operation) {
        try {
            return (long) PUT.invokeExact(endpoint, buffer, length, remote, key, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long get(long endpoint, long buffer, long length, long remote, long key, long operation) {
        try {
            return (long) GET.invokeExact(endpoint, buffer, length, remote, key, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long atomic(long endpoint, int code, long operand, long remote, long key, long operation) {
        try {
            return (long) ATOMIC.invokeExact(endpoint, code, operand, 1L, remote, key, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static int fence(long worker) {
        try {
            return (byte) FENCE.invokeExact(worker);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long workerFlush(long worker, long operation) {
        try {
            return (long) WORKER_FLUSH.invokeExact(worker, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long endpointFlush(long endpoint, long operation) {
        try {
            return (long) ENDPOINT_FLUSH.invokeExact(endpoint, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    public static long endpointClose(long endpoint, long operation) {
        try {
            return (long) ENDPOINT_CLOSE.invokeExact(endpoint, operation);
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }
}
