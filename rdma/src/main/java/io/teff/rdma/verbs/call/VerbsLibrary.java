package io.teff.rdma.verbs.call;

import static io.teff.rdma.ffi.Downcall.Result.INT;
import static io.teff.rdma.ffi.Downcall.Result.LONG;
import static io.teff.rdma.ffi.Downcall.Result.VOID;

import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;

/** The functions that libibverbs exports. Those of the data path are in {@link DataPath}. */
public final class VerbsLibrary {
    public static final NativeLibrary LIBRARY = NativeLibrary.of("libibverbs.so.1", "libibverbs1 ibverbs-providers");

    public static final Downcall GET_DEVICE_LIST = of("ibv_get_device_list", LONG, 1);
    public static final Downcall FREE_DEVICE_LIST = of("ibv_free_device_list", VOID, 1);
    public static final Downcall GET_DEVICE_NAME = of("ibv_get_device_name", LONG, 1);
    public static final Downcall GET_DEVICE_GUID = of("ibv_get_device_guid", LONG, 1);
    public static final Downcall OPEN_DEVICE = of("ibv_open_device", LONG, 1);
    public static final Downcall CLOSE_DEVICE = of("ibv_close_device", INT, 1);
    public static final Downcall QUERY_DEVICE = of("ibv_query_device", INT, 2);
    public static final Downcall QUERY_PORT = of("ibv_query_port", INT, 3);
    public static final Downcall QUERY_GID = of("ibv_query_gid", INT, 4);
    public static final Downcall QUERY_GID_TABLE = of("_ibv_query_gid_table", LONG, 5);
    public static final Downcall GET_ASYNC_EVENT = of("ibv_get_async_event", INT, 2);
    public static final Downcall ACK_ASYNC_EVENT = of("ibv_ack_async_event", VOID, 1);
    public static final Downcall ALLOC_PD = of("ibv_alloc_pd", LONG, 1);
    public static final Downcall DEALLOC_PD = of("ibv_dealloc_pd", INT, 1);
    public static final Downcall REG_MR = of("ibv_reg_mr", LONG, 4);
    public static final Downcall REG_MR_IOVA2 = of("ibv_reg_mr_iova2", LONG, 5);
    public static final Downcall DEREG_MR = of("ibv_dereg_mr", INT, 1);
    public static final Downcall CREATE_COMP_CHANNEL = of("ibv_create_comp_channel", LONG, 1);
    public static final Downcall DESTROY_COMP_CHANNEL = of("ibv_destroy_comp_channel", INT, 1);
    public static final Downcall GET_CQ_EVENT = of("ibv_get_cq_event", INT, 3);
    public static final Downcall ACK_CQ_EVENTS = of("ibv_ack_cq_events", VOID, 2);
    public static final Downcall CREATE_CQ = of("ibv_create_cq", LONG, 5);
    public static final Downcall RESIZE_CQ = of("ibv_resize_cq", INT, 2);
    public static final Downcall DESTROY_CQ = of("ibv_destroy_cq", INT, 1);
    public static final Downcall CREATE_SRQ = of("ibv_create_srq", LONG, 2);
    public static final Downcall MODIFY_SRQ = of("ibv_modify_srq", INT, 3);
    public static final Downcall QUERY_SRQ = of("ibv_query_srq", INT, 2);
    public static final Downcall DESTROY_SRQ = of("ibv_destroy_srq", INT, 1);
    public static final Downcall CREATE_QP = of("ibv_create_qp", LONG, 2);
    public static final Downcall MODIFY_QP = of("ibv_modify_qp", INT, 3);
    public static final Downcall QUERY_QP = of("ibv_query_qp", INT, 4);
    public static final Downcall DESTROY_QP = of("ibv_destroy_qp", INT, 1);
    public static final Downcall CREATE_AH = of("ibv_create_ah", LONG, 2);
    public static final Downcall DESTROY_AH = of("ibv_destroy_ah", INT, 1);

    private VerbsLibrary() {}

    private static Downcall of(String name, Downcall.Result result, int arguments) {
        return Downcall.of(LIBRARY, name, result, arguments);
    }
}
