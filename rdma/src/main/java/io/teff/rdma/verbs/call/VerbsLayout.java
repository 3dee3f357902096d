package io.teff.rdma.verbs.call;

/**
 * The layout of the structs of rdma-core that this package reads and writes: offsets and sizes in bytes, for machines
 * with pointers of 64 bits.
 *
 * <p>They are part of the binary interface: the C functions of posting and polling are inlined into each compiled
 * program. So the fields of these functions cannot move while the libraries keep their names. Offsets are equal in all
 * releases from 14 to 65. Three checks look for a difference nevertheless: pointers that the library must have put into
 * a new struct ({@link LayoutCheck}), a test that compiles a C program against the installed headers, and tests on
 * devices.
 *
 * <p>Sizes of structs that the library fills are larger here than there, because later releases may append fields.
 */
public final class VerbsLayout {
    // ---- ibv_device ----
    public static final long DEVICE_NODE_TYPE = 16;
    public static final long DEVICE_TRANSPORT_TYPE = 20;

    // ---- ibv_context, with the table of its functions ----
    public static final long CONTEXT_DEVICE = 0;
    public static final long CONTEXT_POLL_CQ = 96;
    public static final long CONTEXT_REQ_NOTIFY_CQ = 104;
    public static final long CONTEXT_POST_SRQ_RECV = 168;
    public static final long CONTEXT_POST_SEND = 208;
    public static final long CONTEXT_POST_RECV = 216;
    public static final long CONTEXT_CMD_FD = 264;
    public static final long CONTEXT_ASYNC_FD = 268;
    public static final long CONTEXT_NUM_COMP_VECTORS = 272;

    // ---- ibv_pd, ibv_mr, ibv_ah ----
    public static final long PD_CONTEXT = 0;
    public static final long MR_CONTEXT = 0;
    public static final long MR_PD = 8;
    public static final long MR_ADDR = 16;
    public static final long MR_LENGTH = 24;
    public static final long MR_LKEY = 36;
    public static final long MR_RKEY = 40;
    public static final long AH_CONTEXT = 0;
    public static final long AH_PD = 8;

    // ---- ibv_comp_channel, ibv_cq ----
    public static final long CHANNEL_CONTEXT = 0;
    public static final long CHANNEL_FD = 8;
    public static final long CQ_CONTEXT = 0;
    public static final long CQ_CHANNEL = 8;
    public static final long CQ_CQE = 28;

    // ---- ibv_qp ----
    public static final long QP_CONTEXT = 0;
    public static final long QP_PD = 16;
    public static final long QP_SEND_CQ = 24;
    public static final long QP_RECV_CQ = 32;
    public static final long QP_SRQ = 40;
    public static final long QP_NUM = 52;
    public static final long QP_STATE = 56;
    public static final long QP_TYPE = 60;

    // ---- ibv_qp_init_attr ----
    public static final long QP_INIT_SEND_CQ = 8;
    public static final long QP_INIT_RECV_CQ = 16;
    public static final long QP_INIT_SRQ = 24;
    public static final long QP_INIT_CAP = 32;
    public static final long QP_INIT_TYPE = 52;
    public static final long QP_INIT_SQ_SIG_ALL = 56;
    public static final long QP_INIT_SIZE = 128;
    /** Within ibv_qp_cap. */
    public static final long CAP_MAX_SEND_WR = 0;
    public static final long CAP_MAX_RECV_WR = 4;
    public static final long CAP_MAX_SEND_SGE = 8;
    public static final long CAP_MAX_RECV_SGE = 12;
    public static final long CAP_MAX_INLINE_DATA = 16;

    // ---- ibv_qp_attr ----
    public static final long QP_ATTR_STATE = 0;
    public static final long QP_ATTR_CUR_STATE = 4;
    public static final long QP_ATTR_PATH_MTU = 8;
    public static final long QP_ATTR_QKEY = 16;
    public static final long QP_ATTR_RQ_PSN = 20;
    public static final long QP_ATTR_SQ_PSN = 24;
    public static final long QP_ATTR_DEST_QP_NUM = 28;
    public static final long QP_ATTR_ACCESS_FLAGS = 32;
    public static final long QP_ATTR_CAP = 36;
    public static final long QP_ATTR_AH = 56;
    public static final long QP_ATTR_PKEY_INDEX = 120;
    public static final long QP_ATTR_SQ_DRAINING = 125;
    public static final long QP_ATTR_MAX_RD_ATOMIC = 126;
    public static final long QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
    public static final long QP_ATTR_MIN_RNR_TIMER = 128;
    public static final long QP_ATTR_PORT_NUM = 129;
    public static final long QP_ATTR_TIMEOUT = 130;
    public static final long QP_ATTR_RETRY_CNT = 131;
    public static final long QP_ATTR_RNR_RETRY = 132;
    public static final long QP_ATTR_SIZE = 256;

    // ---- ibv_ah_attr, with ibv_global_route at its beginning ----
    public static final long AH_ATTR_DGID = 0;
    public static final long AH_ATTR_FLOW_LABEL = 16;
    public static final long AH_ATTR_SGID_INDEX = 20;
    public static final long AH_ATTR_HOP_LIMIT = 21;
    public static final long AH_ATTR_TRAFFIC_CLASS = 22;
    public static final long AH_ATTR_DLID = 24;
    public static final long AH_ATTR_SL = 26;
    public static final long AH_ATTR_IS_GLOBAL = 29;
    public static final long AH_ATTR_PORT_NUM = 30;
    public static final long AH_ATTR_SIZE = 32;
    public static final int GID_SIZE = 16;

    // ---- ibv_sge ----
    public static final long SGE_ADDR = 0;
    public static final long SGE_LENGTH = 8;
    public static final long SGE_LKEY = 12;
    public static final long SGE_SIZE = 16;

    // ---- ibv_send_wr: the fields from 40 on depend on the operation ----
    public static final long SEND_WR_ID = 0;
    public static final long SEND_NEXT = 8;
    public static final long SEND_SG_LIST = 16;
    public static final long SEND_NUM_SGE = 24;
    public static final long SEND_OPCODE = 28;
    public static final long SEND_FLAGS = 32;
    public static final long SEND_IMM_DATA = 36;
    public static final long SEND_REMOTE_ADDR = 40;
    public static final long SEND_RKEY = 48;
    public static final long SEND_COMPARE_ADD = 48;
    public static final long SEND_SWAP = 56;
    public static final long SEND_ATOMIC_RKEY = 64;
    public static final long SEND_AH = 40;
    public static final long SEND_REMOTE_QPN = 48;
    public static final long SEND_REMOTE_QKEY = 52;
    public static final long SEND_SIZE = 128;

    // ---- ibv_recv_wr ----
    public static final long RECV_WR_ID = 0;
    public static final long RECV_NEXT = 8;
    public static final long RECV_SG_LIST = 16;
    public static final long RECV_NUM_SGE = 24;
    public static final long RECV_SIZE = 32;

    // ---- ibv_wc ----
    public static final long WC_WR_ID = 0;
    public static final long WC_STATUS = 8;
    public static final long WC_OPCODE = 12;
    public static final long WC_VENDOR_ERR = 16;
    public static final long WC_BYTE_LEN = 20;
    public static final long WC_IMM_DATA = 24;
    public static final long WC_QP_NUM = 28;
    public static final long WC_SRC_QP = 32;
    public static final long WC_FLAGS = 36;
    public static final long WC_SIZE = 48;

    // ---- ibv_srq, ibv_srq_init_attr, ibv_srq_attr ----
    public static final long SRQ_CONTEXT = 0;
    public static final long SRQ_PD = 16;
    public static final long SRQ_INIT_ATTR = 8;
    public static final long SRQ_INIT_SIZE = 64;
    public static final long SRQ_MAX_WR = 0;
    public static final long SRQ_MAX_SGE = 4;
    public static final long SRQ_LIMIT = 8;
    public static final long SRQ_ATTR_SIZE = 64;

    // ---- ibv_port_attr ----
    public static final long PORT_STATE = 0;
    public static final long PORT_MAX_MTU = 4;
    public static final long PORT_ACTIVE_MTU = 8;
    public static final long PORT_GID_TBL_LEN = 12;
    public static final long PORT_MAX_MSG_SZ = 20;
    public static final long PORT_PKEY_TBL_LEN = 32;
    public static final long PORT_LID = 34;
    public static final long PORT_LINK_LAYER = 46;
    public static final long PORT_SIZE = 256;

    // ---- ibv_device_attr ----
    public static final long DEVICE_FW_VER = 0;
    public static final int DEVICE_FW_VER_SIZE = 64;
    public static final long DEVICE_NODE_GUID = 64;
    public static final long DEVICE_MAX_MR_SIZE = 80;
    public static final long DEVICE_VENDOR_ID = 96;
    public static final long DEVICE_MAX_QP = 108;
    public static final long DEVICE_MAX_QP_WR = 112;
    public static final long DEVICE_MAX_SGE = 120;
    public static final long DEVICE_MAX_CQ = 128;
    public static final long DEVICE_MAX_CQE = 132;
    public static final long DEVICE_MAX_MR = 136;
    public static final long DEVICE_MAX_PD = 140;
    public static final long DEVICE_MAX_QP_RD_ATOM = 144;
    public static final long DEVICE_MAX_QP_INIT_RD_ATOM = 156;
    public static final long DEVICE_ATOMIC_CAP = 164;
    public static final long DEVICE_MAX_AH = 200;
    public static final long DEVICE_MAX_SRQ = 212;
    public static final long DEVICE_MAX_SRQ_WR = 216;
    public static final long DEVICE_MAX_SRQ_SGE = 220;
    public static final long DEVICE_PHYS_PORT_CNT = 227;
    public static final long DEVICE_SIZE = 512;

    // ---- ibv_gid_entry; its size is a parameter of the query ----
    public static final long GID_ENTRY_GID = 0;
    public static final long GID_ENTRY_INDEX = 16;
    public static final long GID_ENTRY_PORT = 20;
    public static final long GID_ENTRY_TYPE = 24;
    public static final long GID_ENTRY_SIZE = 32;

    // ---- ibv_async_event ----
    public static final long ASYNC_ELEMENT = 0;
    public static final long ASYNC_TYPE = 8;
    public static final long ASYNC_SIZE = 64;

    // ---- rdma_event_channel, rdma_cm_id, rdma_cm_event, rdma_conn_param ----
    public static final long CM_CHANNEL_FD = 0;
    public static final long CM_ID_VERBS = 0;
    public static final long CM_ID_CHANNEL = 8;
    public static final long CM_ID_QP = 24;
    public static final long CM_ID_SOURCE = 32;
    public static final long CM_ID_TARGET = 160;
    public static final long CM_ID_PORT_NUM = 348;
    public static final long CM_EVENT_ID = 0;
    public static final long CM_EVENT_LISTEN_ID = 8;
    public static final long CM_EVENT_TYPE = 16;
    public static final long CM_EVENT_STATUS = 20;
    public static final long CM_EVENT_PRIVATE_DATA = 24;
    public static final long CM_EVENT_PRIVATE_DATA_LEN = 32;
    public static final long CM_EVENT_RESPONDER = 33;
    public static final long CM_EVENT_INITIATOR = 34;
    public static final long CM_EVENT_QP_NUM = 40;
    public static final long CONN_PRIVATE_DATA = 0;
    public static final long CONN_PRIVATE_DATA_LEN = 8;
    public static final long CONN_RESPONDER = 9;
    public static final long CONN_INITIATOR = 10;
    public static final long CONN_FLOW_CONTROL = 11;
    public static final long CONN_RETRY = 12;
    public static final long CONN_RNR_RETRY = 13;
    public static final long CONN_SRQ = 14;
    public static final long CONN_QP_NUM = 16;
    public static final long CONN_SIZE = 24;

    static {
        assert SGE_LKEY + Integer.BYTES == SGE_SIZE : "ibv_sge is tiled";
        assert QP_INIT_CAP + CAP_MAX_INLINE_DATA + Integer.BYTES == QP_INIT_TYPE : "the type follows the capacities";
        assert QP_ATTR_CAP + CAP_MAX_INLINE_DATA + Integer.BYTES == QP_ATTR_AH : "the address follows the capacities";
        assert SEND_ATOMIC_RKEY < SEND_SIZE && CONN_QP_NUM < CONN_SIZE : "fields lie within their structs";
    }

    private VerbsLayout() {}
}
