package io.teff.rdma.verbs.call;

import static io.teff.rdma.ffi.Downcall.Result.INT;
import static io.teff.rdma.ffi.Downcall.Result.LONG;
import static io.teff.rdma.ffi.Downcall.Result.VOID;

import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;

/** The functions of librdmacm. */
public final class ManagerLibrary {
    public static final NativeLibrary LIBRARY = NativeLibrary.of("librdmacm.so.1", "librdmacm1 ibverbs-providers");

    public static final Downcall CREATE_EVENT_CHANNEL = of("rdma_create_event_channel", LONG, 0);
    public static final Downcall DESTROY_EVENT_CHANNEL = of("rdma_destroy_event_channel", VOID, 1);
    public static final Downcall CREATE_ID = of("rdma_create_id", INT, 4);
    public static final Downcall DESTROY_ID = of("rdma_destroy_id", INT, 1);
    public static final Downcall BIND_ADDR = of("rdma_bind_addr", INT, 2);
    public static final Downcall LISTEN = of("rdma_listen", INT, 2);
    public static final Downcall RESOLVE_ADDR = of("rdma_resolve_addr", INT, 4);
    public static final Downcall RESOLVE_ROUTE = of("rdma_resolve_route", INT, 2);
    public static final Downcall CREATE_QP = of("rdma_create_qp", INT, 3);
    public static final Downcall DESTROY_QP = of("rdma_destroy_qp", VOID, 1);
    public static final Downcall CONNECT = of("rdma_connect", INT, 2);
    public static final Downcall ACCEPT = of("rdma_accept", INT, 2);
    public static final Downcall REJECT = of("rdma_reject", INT, 3);
    public static final Downcall DISCONNECT = of("rdma_disconnect", INT, 1);
    public static final Downcall GET_CM_EVENT = of("rdma_get_cm_event", INT, 2);
    public static final Downcall ACK_CM_EVENT = of("rdma_ack_cm_event", INT, 1);

    private ManagerLibrary() {}

    private static Downcall of(String name, Downcall.Result result, int arguments) {
        return Downcall.of(LIBRARY, name, result, arguments);
    }
}
