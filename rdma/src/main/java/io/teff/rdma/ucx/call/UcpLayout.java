package io.teff.rdma.ucx.call;

/**
 * The structs of UCP: offsets in bytes, bits of their field masks, and flags. One class per struct.
 *
 * <p>Each struct begins with a mask of the fields that the caller has set or asks for. The library reads and writes
 * these fields alone, and newer versions append fields at the end. So these constants hold from version 1.13 on, for
 * machines with 64 bits. Sizes are those of 1.13.
 */
public final class UcpLayout {
    /** The mask of fields, at the beginning of each struct. */
    public static final long FIELD_MASK = 0;
    /** Size of {@code struct sockaddr_storage}. */
    public static final long SOCKET_ADDRESS_SIZE = 128;
    /** {@code UCP_ATOMIC_OP_SWAP}: operand in, old value out. */
    public static final int ATOMIC_SWAP = 1;
    /** {@code UCP_ATOMIC_OP_CSWAP}: expected value as operand, new value in the reply buffer, old value out. */
    public static final int ATOMIC_COMPARE_AND_SWAP = 2;

    private UcpLayout() {}

    /** {@code ucp_params_t}. */
    public static final class Context {
        public static final long SIZE = 80;
        public static final long FEATURES = 8;
        public static final long REQUEST_SIZE = 16;
        public static final long TAG_SENDER_MASK = 40;
        public static final long WORKERS_SHARED = 48;
        public static final long ENDPOINTS = 56;
        public static final long NAME = 72;
        public static final long HAS_FEATURES = 1;
        public static final long HAS_REQUEST_SIZE = 1 << 1;
        public static final long HAS_TAG_SENDER_MASK = 1 << 4;
        public static final long HAS_WORKERS_SHARED = 1 << 5;
        public static final long HAS_ENDPOINTS = 1 << 6;
        public static final long HAS_NAME = 1 << 8;

        private Context() {}
    }

    /** {@code ucp_context_attr_t}. */
    public static final class ContextAttributes {
        public static final long SIZE = 64;
        public static final long REQUEST_SIZE = 8;
        public static final long THREAD_MODE = 16;
        public static final long HAS_REQUEST_SIZE = 1;
        public static final long HAS_THREAD_MODE = 1 << 1;

        private ContextAttributes() {}
    }

    /** {@code ucp_worker_params_t}; a set of 1,024 processors stands behind the thread mode. */
    public static final class Worker {
        public static final long SIZE = 200;
        public static final long THREAD_MODE = 8;
        public static final long HAS_THREAD_MODE = 1;

        private Worker() {}
    }

    /** {@code ucp_worker_attr_t}. */
    public static final class WorkerAttributes {
        public static final long SIZE = 80;
        public static final long THREAD_MODE = 8;
        public static final long HEADER_MAX = 32;
        public static final long HAS_THREAD_MODE = 1;
        public static final long HAS_HEADER_MAX = 1 << 3;

        private WorkerAttributes() {}
    }

    /** {@code ucp_ep_params_t}. */
    public static final class Endpoint {
        public static final long SIZE = 104;
        public static final long ADDRESS = 8;
        public static final long ERROR_MODE = 16;
        public static final long ERROR_CALLBACK = 24;
        public static final long ERROR_ARGUMENT = 32;
        public static final long FLAGS = 48;
        public static final long SOCKET_ADDRESS = 56;
        public static final long SOCKET_ADDRESS_LENGTH = 64;
        public static final long CONNECTION_REQUEST = 72;
        public static final long HAS_ADDRESS = 1;
        public static final long HAS_ERROR_MODE = 1 << 1;
        public static final long HAS_ERROR_HANDLER = 1 << 2;
        public static final long HAS_SOCKET_ADDRESS = 1 << 4;
        public static final long HAS_FLAGS = 1 << 5;
        public static final long HAS_CONNECTION_REQUEST = 1 << 6;
        public static final int CLIENT_SERVER = 1;

        private Endpoint() {}
    }

    /** {@code ucp_ep_attr_t}. */
    public static final class EndpointAttributes {
        public static final long SIZE = 296;
        public static final long LOCAL_ADDRESS = 40;
        public static final long REMOTE_ADDRESS = 168;
        public static final long HAS_LOCAL_ADDRESS = 1 << 1;
        public static final long HAS_REMOTE_ADDRESS = 1 << 2;

        private EndpointAttributes() {}
    }

    /** {@code ucp_listener_params_t}. */
    public static final class Listener {
        public static final long SIZE = 56;
        public static final long SOCKET_ADDRESS = 8;
        public static final long SOCKET_ADDRESS_LENGTH = 16;
        public static final long CALLBACK = 40;
        public static final long ARGUMENT = 48;
        public static final long HAS_SOCKET_ADDRESS = 1;
        public static final long HAS_CALLBACK = 1 << 2;

        private Listener() {}
    }

    /** {@code ucp_listener_attr_t} and {@code ucp_conn_request_attr_t}, which begin in the same way. */
    public static final class PeerAddress {
        public static final long SIZE = 144;
        public static final long ADDRESS = 8;
        public static final long HAS_ADDRESS = 1;

        private PeerAddress() {}
    }

    /** {@code ucp_mem_map_params_t}. */
    public static final class Memory {
        public static final long SIZE = 40;
        public static final long ADDRESS = 8;
        public static final long LENGTH = 16;
        public static final long FLAGS = 24;
        public static final long HAS_ADDRESS = 1;
        public static final long HAS_LENGTH = 1 << 1;
        public static final long HAS_FLAGS = 1 << 2;
        public static final int ALLOCATE = 1 << 1;

        private Memory() {}
    }

    /** {@code ucp_mem_attr_t}. */
    public static final class MemoryAttributes {
        public static final long SIZE = 32;
        public static final long ADDRESS = 8;
        public static final long LENGTH = 16;
        public static final long HAS_ADDRESS = 1;
        public static final long HAS_LENGTH = 1 << 1;

        private MemoryAttributes() {}
    }

    /** {@code ucp_am_handler_param_t}. */
    public static final class Handler {
        public static final long SIZE = 32;
        public static final long ID = 8;
        public static final long CALLBACK = 16;
        public static final long ARGUMENT = 24;
        public static final long HAS_ID = 1;
        public static final long HAS_CALLBACK = 1 << 2;
        public static final long HAS_ARGUMENT = 1 << 3;
        /** Bit of {@code ucp_am_recv_param_t.recv_attr}: the data is a descriptor, to be received by a call. */
        public static final long IS_RENDEZVOUS = 1 << 17;

        private Handler() {}
    }

    /** {@code ucp_request_param_t}: mask and flags have 32 bits each. */
    public static final class Operation {
        public static final long SIZE = 72;
        public static final long FLAGS = 4;
        public static final long DATA_TYPE = 24;
        public static final long REPLY_BUFFER = 40;
        public static final int HAS_DATA_TYPE = 1 << 3;
        public static final int HAS_FLAGS = 1 << 4;
        public static final int HAS_REPLY_BUFFER = 1 << 5;
        public static final int IS_NEVER_IMMEDIATE = 1 << 16;
        /** Shift of the element size in a contiguous data type. */
        public static final int ELEMENT_SHIFT = 3;
        public static final int CLOSE_FORCE = 1;
        /** A flag of an active message: the receiver gets an endpoint to the sender. */
        public static final int REPLY = 1;
        public static final int STREAM_WAIT_ALL = 1;

        private Operation() {}
    }

    /** {@code ucp_tag_recv_info_t}. */
    public static final class TagInfo {
        public static final long SIZE = 16;
        public static final long TAG = 0;
        public static final long LENGTH = 8;

        private TagInfo() {}
    }
}
