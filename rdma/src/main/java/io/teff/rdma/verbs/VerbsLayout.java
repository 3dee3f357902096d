package io.teff.rdma.verbs;

/**
 * The layout of the structs of rdma-core that this package reads and writes: offsets and sizes in bytes, for machines
 * with pointers of 64 bits.
 *
 * <p>They are part of the binary interface: the C functions that post and poll are inlined into each compiled program,
 * so no field that they touch can move while the libraries keep their names. Offsets are equal in all releases from 14
 * to 65. Three checks look for a difference nevertheless: pointers that the library must have put into a new struct
 * ({@link LayoutCheck}), a test that compiles a C program against the installed headers, and tests on devices.
 *
 * <p>Sizes of structs that the library fills are larger here than there, because later releases may append fields.
 */
final class VerbsLayout {
    // ---- ibv_device ----
    static final long DEVICE_NODE_TYPE = 16;
    static final long DEVICE_TRANSPORT_TYPE = 20;

    // ---- ibv_context, with the table of its functions ----
    static final long CONTEXT_DEVICE = 0;
    static final long CONTEXT_POLL_CQ = 96;
    static final long CONTEXT_REQ_NOTIFY_CQ = 104;
    static final long CONTEXT_POST_SRQ_RECV = 168;
    static final long CONTEXT_POST_SEND = 208;
    static final long CONTEXT_POST_RECV = 216;
    static final long CONTEXT_CMD_FD = 264;
    static final long CONTEXT_ASYNC_FD = 268;
    static final long CONTEXT_NUM_COMP_VECTORS = 272;

    // ---- ibv_pd, ibv_mr, ibv_ah ----
    static final long PD_CONTEXT = 0;
    static final long MR_CONTEXT = 0;
    static final long MR_PD = 8;
    static final long MR_ADDR = 16;
    static final long MR_LENGTH = 24;
    static final long MR_LKEY = 36;
    static final long MR_RKEY = 40;
    static final long AH_CONTEXT = 0;
    static final long AH_PD = 8;

    // ---- ibv_comp_channel, ibv_cq ----
    static final long CHANNEL_CONTEXT = 0;
    static final long CHANNEL_FD = 8;
    static final long CQ_CONTEXT = 0;
    static final long CQ_CHANNEL = 8;
    static final long CQ_CQE = 28;

    // ---- ibv_qp ----
    static final long QP_CONTEXT = 0;
    static final long QP_PD = 16;
    static final long QP_SEND_CQ = 24;
    static final long QP_RECV_CQ = 32;
    static final long QP_SRQ = 40;
    static final long QP_NUM = 52;
    static final long QP_STATE = 56;
    static final long QP_TYPE = 60;

    // ---- ibv_qp_init_attr ----
    static final long QP_INIT_SEND_CQ = 8;
    static final long QP_INIT_RECV_CQ = 16;
    static final long QP_INIT_SRQ = 24;
    static final long QP_INIT_CAP = 32;
    static final long QP_INIT_TYPE = 52;
    static final long QP_INIT_SQ_SIG_ALL = 56;
    static final long QP_INIT_SIZE = 128;
    /** Within ibv_qp_cap. */
    static final long CAP_MAX_SEND_WR = 0;
    static final long CAP_MAX_RECV_WR = 4;
    static final long CAP_MAX_SEND_SGE = 8;
    static final long CAP_MAX_RECV_SGE = 12;
    static final long CAP_MAX_INLINE_DATA = 16;

    // ---- ibv_qp_attr ----
    static final long QP_ATTR_STATE = 0;
    static final long QP_ATTR_CUR_STATE = 4;
    static final long QP_ATTR_PATH_MTU = 8;
    static final long QP_ATTR_QKEY = 16;
    static final long QP_ATTR_RQ_PSN = 20;
    static final long QP_ATTR_SQ_PSN = 24;
    static final long QP_ATTR_DEST_QP_NUM = 28;
    static final long QP_ATTR_ACCESS_FLAGS = 32;
    static final long QP_ATTR_CAP = 36;
    static final long QP_ATTR_AH = 56;
    static final long QP_ATTR_PKEY_INDEX = 120;
    static final long QP_ATTR_SQ_DRAINING = 125;
    static final long QP_ATTR_MAX_RD_ATOMIC = 126;
    static final long QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
    static final long QP_ATTR_MIN_RNR_TIMER = 128;
    static final long QP_ATTR_PORT_NUM = 129;
    static final long QP_ATTR_TIMEOUT = 130;
    static final long QP_ATTR_RETRY_CNT = 131;
    static final long QP_ATTR_RNR_RETRY = 132;
    static final long QP_ATTR_SIZE = 256;

    // ---- ibv_ah_attr, with ibv_global_route at its beginning ----
    static final long AH_ATTR_DGID = 0;
    static final long AH_ATTR_FLOW_LABEL = 16;
    static final long AH_ATTR_SGID_INDEX = 20;
    static final long AH_ATTR_HOP_LIMIT = 21;
    static final long AH_ATTR_TRAFFIC_CLASS = 22;
    static final long AH_ATTR_DLID = 24;
    static final long AH_ATTR_SL = 26;
    static final long AH_ATTR_IS_GLOBAL = 29;
    static final long AH_ATTR_PORT_NUM = 30;
    static final long AH_ATTR_SIZE = 32;
    static final int GID_SIZE = 16;

    // ---- ibv_sge ----
    static final long SGE_ADDR = 0;
    static final long SGE_LENGTH = 8;
    static final long SGE_LKEY = 12;
    static final long SGE_SIZE = 16;

    // ---- ibv_send_wr: the fields from 40 on depend on the operation ----
    static final long SEND_WR_ID = 0;
    static final long SEND_NEXT = 8;
    static final long SEND_SG_LIST = 16;
    static final long SEND_NUM_SGE = 24;
    static final long SEND_OPCODE = 28;
    static final long SEND_FLAGS = 32;
    static final long SEND_IMM_DATA = 36;
    static final long SEND_REMOTE_ADDR = 40;
    static final long SEND_RKEY = 48;
    static final long SEND_COMPARE_ADD = 48;
    static final long SEND_SWAP = 56;
    static final long SEND_ATOMIC_RKEY = 64;
    static final long SEND_AH = 40;
    static final long SEND_REMOTE_QPN = 48;
    static final long SEND_REMOTE_QKEY = 52;
    static final long SEND_SIZE = 128;

    // ---- ibv_recv_wr ----
    static final long RECV_WR_ID = 0;
    static final long RECV_NEXT = 8;
    static final long RECV_SG_LIST = 16;
    static final long RECV_NUM_SGE = 24;
    static final long RECV_SIZE = 32;

    // ---- ibv_wc ----
    static final long WC_WR_ID = 0;
    static final long WC_STATUS = 8;
    static final long WC_OPCODE = 12;
    static final long WC_VENDOR_ERR = 16;
    static final long WC_BYTE_LEN = 20;
    static final long WC_IMM_DATA = 24;
    static final long WC_QP_NUM = 28;
    static final long WC_SRC_QP = 32;
    static final long WC_FLAGS = 36;
    static final long WC_SIZE = 48;

    // ---- ibv_srq, ibv_srq_init_attr, ibv_srq_attr ----
    static final long SRQ_CONTEXT = 0;
    static final long SRQ_PD = 16;
    static final long SRQ_INIT_ATTR = 8;
    static final long SRQ_INIT_SIZE = 64;
    static final long SRQ_MAX_WR = 0;
    static final long SRQ_MAX_SGE = 4;
    static final long SRQ_LIMIT = 8;
    static final long SRQ_ATTR_SIZE = 64;

    // ---- ibv_port_attr ----
    static final long PORT_STATE = 0;
    static final long PORT_MAX_MTU = 4;
    static final long PORT_ACTIVE_MTU = 8;
    static final long PORT_GID_TBL_LEN = 12;
    static final long PORT_MAX_MSG_SZ = 20;
    static final long PORT_PKEY_TBL_LEN = 32;
    static final long PORT_LID = 34;
    static final long PORT_LINK_LAYER = 46;
    static final long PORT_SIZE = 256;

    // ---- ibv_device_attr ----
    static final long DEVICE_FW_VER = 0;
    static final int DEVICE_FW_VER_SIZE = 64;
    static final long DEVICE_NODE_GUID = 64;
    static final long DEVICE_MAX_MR_SIZE = 80;
    static final long DEVICE_VENDOR_ID = 96;
    static final long DEVICE_MAX_QP = 108;
    static final long DEVICE_MAX_QP_WR = 112;
    static final long DEVICE_MAX_SGE = 120;
    static final long DEVICE_MAX_CQ = 128;
    static final long DEVICE_MAX_CQE = 132;
    static final long DEVICE_MAX_MR = 136;
    static final long DEVICE_MAX_PD = 140;
    static final long DEVICE_MAX_QP_RD_ATOM = 144;
    static final long DEVICE_MAX_QP_INIT_RD_ATOM = 156;
    static final long DEVICE_ATOMIC_CAP = 164;
    static final long DEVICE_MAX_AH = 200;
    static final long DEVICE_MAX_SRQ = 212;
    static final long DEVICE_MAX_SRQ_WR = 216;
    static final long DEVICE_MAX_SRQ_SGE = 220;
    static final long DEVICE_PHYS_PORT_CNT = 227;
    static final long DEVICE_SIZE = 512;

    // ---- ibv_gid_entry; its size is a parameter of the query ----
    static final long GID_ENTRY_GID = 0;
    static final long GID_ENTRY_INDEX = 16;
    static final long GID_ENTRY_PORT = 20;
    static final long GID_ENTRY_TYPE = 24;
    static final long GID_ENTRY_SIZE = 32;

    // ---- ibv_async_event ----
    static final long ASYNC_ELEMENT = 0;
    static final long ASYNC_TYPE = 8;
    static final long ASYNC_SIZE = 64;

    // ---- rdma_event_channel, rdma_cm_id, rdma_cm_event, rdma_conn_param ----
    static final long CM_CHANNEL_FD = 0;
    static final long CM_ID_VERBS = 0;
    static final long CM_ID_CHANNEL = 8;
    static final long CM_ID_QP = 24;
    static final long CM_ID_SOURCE = 32;
    static final long CM_ID_TARGET = 160;
    static final long CM_ID_PORT_NUM = 348;
    static final long CM_EVENT_ID = 0;
    static final long CM_EVENT_LISTEN_ID = 8;
    static final long CM_EVENT_TYPE = 16;
    static final long CM_EVENT_STATUS = 20;
    static final long CM_EVENT_PRIVATE_DATA = 24;
    static final long CM_EVENT_PRIVATE_DATA_LEN = 32;
    static final long CM_EVENT_RESPONDER = 33;
    static final long CM_EVENT_INITIATOR = 34;
    static final long CM_EVENT_QP_NUM = 40;
    static final long CONN_PRIVATE_DATA = 0;
    static final long CONN_PRIVATE_DATA_LEN = 8;
    static final long CONN_RESPONDER = 9;
    static final long CONN_INITIATOR = 10;
    static final long CONN_FLOW_CONTROL = 11;
    static final long CONN_RETRY = 12;
    static final long CONN_RNR_RETRY = 13;
    static final long CONN_SRQ = 14;
    static final long CONN_QP_NUM = 16;
    static final long CONN_SIZE = 24;

    static {
        assert SGE_LKEY + Integer.BYTES == SGE_SIZE : "ibv_sge is tiled";
        assert QP_INIT_CAP + CAP_MAX_INLINE_DATA + Integer.BYTES == QP_INIT_TYPE : "the type follows the capacities";
        assert QP_ATTR_CAP + CAP_MAX_INLINE_DATA + Integer.BYTES == QP_ATTR_AH : "the address follows the capacities";
        assert SEND_ATOMIC_RKEY < SEND_SIZE && CONN_QP_NUM < CONN_SIZE : "fields lie within their structs";
    }

    private VerbsLayout() {}
}
