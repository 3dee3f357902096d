package io.teff.rdma.ucx;

/**
 * The structs of UCP: offsets in bytes, bits of their field masks, and flags. One class per struct.
 *
 * <p>Each struct begins with a mask of the fields that the caller has set or asks for. The library reads and writes no
 * other ones, and newer versions append fields behind the old ones. So these constants hold from version 1.13 on, for
 * machines with 64 bits. Sizes are those of 1.13.
 */
final class UcpLayout {
    /** The mask of fields, at the beginning of each struct. */
    static final long FIELD_MASK = 0;
    /** Size of {@code struct sockaddr_storage}. */
    static final long SOCKET_ADDRESS_SIZE = 128;

    private UcpLayout() {}

    /** {@code ucp_params_t}. */
    static final class Context {
        static final long SIZE = 80;
        static final long FEATURES = 8;
        static final long REQUEST_SIZE = 16;
        static final long TAG_SENDER_MASK = 40;
        static final long WORKERS_SHARED = 48;
        static final long ENDPOINTS = 56;
        static final long NAME = 72;
        static final long HAS_FEATURES = 1;
        static final long HAS_REQUEST_SIZE = 1 << 1;
        static final long HAS_TAG_SENDER_MASK = 1 << 4;
        static final long HAS_WORKERS_SHARED = 1 << 5;
        static final long HAS_ENDPOINTS = 1 << 6;
        static final long HAS_NAME = 1 << 8;

        private Context() {}
    }

    /** {@code ucp_context_attr_t}. */
    static final class ContextAttributes {
        static final long SIZE = 64;
        static final long REQUEST_SIZE = 8;
        static final long THREAD_MODE = 16;
        static final long HAS_REQUEST_SIZE = 1;
        static final long HAS_THREAD_MODE = 1 << 1;

        private ContextAttributes() {}
    }

    /** {@code ucp_worker_params_t}; a set of 1,024 processors stands behind the thread mode. */
    static final class Worker {
        static final long SIZE = 200;
        static final long THREAD_MODE = 8;
        static final long HAS_THREAD_MODE = 1;

        private Worker() {}
    }

    /** {@code ucp_worker_attr_t}. */
    static final class WorkerAttributes {
        static final long SIZE = 80;
        static final long THREAD_MODE = 8;
        static final long HEADER_MAX = 32;
        static final long HAS_THREAD_MODE = 1;
        static final long HAS_HEADER_MAX = 1 << 3;

        private WorkerAttributes() {}
    }

    /** {@code ucp_ep_params_t}. */
    static final class Endpoint {
        static final long SIZE = 104;
        static final long ADDRESS = 8;
        static final long ERROR_MODE = 16;
        static final long ERROR_CALLBACK = 24;
        static final long ERROR_ARGUMENT = 32;
        static final long FLAGS = 48;
        static final long SOCKET_ADDRESS = 56;
        static final long SOCKET_ADDRESS_LENGTH = 64;
        static final long CONNECTION_REQUEST = 72;
        static final long HAS_ADDRESS = 1;
        static final long HAS_ERROR_MODE = 1 << 1;
        static final long HAS_ERROR_HANDLER = 1 << 2;
        static final long HAS_SOCKET_ADDRESS = 1 << 4;
        static final long HAS_FLAGS = 1 << 5;
        static final long HAS_CONNECTION_REQUEST = 1 << 6;
        static final int CLIENT_SERVER = 1;

        private Endpoint() {}
    }

    /** {@code ucp_ep_attr_t}. */
    static final class EndpointAttributes {
        static final long SIZE = 296;
        static final long LOCAL_ADDRESS = 40;
        static final long REMOTE_ADDRESS = 168;
        static final long HAS_LOCAL_ADDRESS = 1 << 1;
        static final long HAS_REMOTE_ADDRESS = 1 << 2;

        private EndpointAttributes() {}
    }

    /** {@code ucp_listener_params_t}. */
    static final class Listener {
        static final long SIZE = 56;
        static final long SOCKET_ADDRESS = 8;
        static final long SOCKET_ADDRESS_LENGTH = 16;
        static final long CALLBACK = 40;
        static final long ARGUMENT = 48;
        static final long HAS_SOCKET_ADDRESS = 1;
        static final long HAS_CALLBACK = 1 << 2;

        private Listener() {}
    }

    /** {@code ucp_listener_attr_t} and {@code ucp_conn_request_attr_t}, which begin in the same way. */
    static final class PeerAddress {
        static final long SIZE = 144;
        static final long ADDRESS = 8;
        static final long HAS_ADDRESS = 1;

        private PeerAddress() {}
    }

    /** {@code ucp_mem_map_params_t}. */
    static final class Memory {
        static final long SIZE = 40;
        static final long ADDRESS = 8;
        static final long LENGTH = 16;
        static final long FLAGS = 24;
        static final long HAS_ADDRESS = 1;
        static final long HAS_LENGTH = 1 << 1;
        static final long HAS_FLAGS = 1 << 2;
        static final int ALLOCATE = 1 << 1;

        private Memory() {}
    }

    /** {@code ucp_mem_attr_t}. */
    static final class MemoryAttributes {
        static final long SIZE = 32;
        static final long ADDRESS = 8;
        static final long LENGTH = 16;
        static final long HAS_ADDRESS = 1;
        static final long HAS_LENGTH = 1 << 1;

        private MemoryAttributes() {}
    }

    /** {@code ucp_am_handler_param_t}. */
    static final class Handler {
        static final long SIZE = 32;
        static final long ID = 8;
        static final long CALLBACK = 16;
        static final long ARGUMENT = 24;
        static final long HAS_ID = 1;
        static final long HAS_CALLBACK = 1 << 2;
        static final long HAS_ARGUMENT = 1 << 3;
        /** Bit of {@code ucp_am_recv_param_t.recv_attr}: the data is a descriptor, to be received by a call. */
        static final long IS_RENDEZVOUS = 1 << 17;

        private Handler() {}
    }

    /** {@code ucp_request_param_t}: its mask and its flags have 32 bits each. */
    static final class Operation {
        static final long SIZE = 72;
        static final long FLAGS = 4;
        static final long DATA_TYPE = 24;
        static final long REPLY_BUFFER = 40;
        static final int HAS_DATA_TYPE = 1 << 3;
        static final int HAS_FLAGS = 1 << 4;
        static final int HAS_REPLY_BUFFER = 1 << 5;
        static final int IS_NEVER_IMMEDIATE = 1 << 16;
        /** Shift of the element size in a contiguous data type. */
        static final int ELEMENT_SHIFT = 3;
        static final int CLOSE_FORCE = 1;
        static final int STREAM_WAIT_ALL = 1;

        private Operation() {}
    }

    /** {@code ucp_tag_recv_info_t}. */
    static final class TagInfo {
        static final long SIZE = 16;
        static final long TAG = 0;
        static final long LENGTH = 8;

        private TagInfo() {}
    }
}
