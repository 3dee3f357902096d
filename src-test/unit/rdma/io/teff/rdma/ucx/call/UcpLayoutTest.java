package io.teff.rdma.ucx.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.memory.UcxAtomic;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.test.kit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the constants are those of the C headers. Method: a program in C that prints them, where a compiler and the
 * headers are installed.
 */
final class UcpLayoutTest {
    private static final Path HEADER = Path.of("/usr/include/ucp/api/ucp.h");
    private static final Path COMPILER = Path.of("/usr/bin/cc");

    private static Map<String, Long> constants() {
        Map<String, Long> all = new LinkedHashMap<>();
        context(all);
        endpoint(all);
        others(all);
        operation(all);
        for (UcxStatus status : UcxStatus.values()) {
            if (status != UcxStatus.UNKNOWN) {
                all.put(nameInC(status), (long) status.code());
            }
        }
        return all;
    }

    private static String nameInC(UcxStatus status) {
        return switch (status) {
            case OK -> "UCS_OK";
            case IN_PROGRESS -> "UCS_INPROGRESS";
            case INVALID_ADDRESS -> "UCS_ERR_INVALID_ADDR";
            case NO_ELEMENT -> "UCS_ERR_NO_ELEM";
            case SHARED_MEMORY -> "UCS_ERR_SHMEM_SEGMENT";
            default -> "UCS_ERR_" + status.name();
        };
    }

    private static String offset(String struct, String field) {
        return "offsetof(" + struct + ", " + field + ")";
    }

    private static void context(Map<String, Long> all) {
        String params = "ucp_params_t";
        all.put(offset(params, "field_mask"), UcpLayout.FIELD_MASK);
        all.put(offset(params, "features"), UcpLayout.Context.FEATURES);
        all.put(offset(params, "request_size"), UcpLayout.Context.REQUEST_SIZE);
        all.put(offset(params, "tag_sender_mask"), UcpLayout.Context.TAG_SENDER_MASK);
        all.put(offset(params, "mt_workers_shared"), UcpLayout.Context.WORKERS_SHARED);
        all.put(offset(params, "estimated_num_eps"), UcpLayout.Context.ENDPOINTS);
        all.put(offset(params, "name"), UcpLayout.Context.NAME);
        all.put("UCP_PARAM_FIELD_FEATURES", UcpLayout.Context.HAS_FEATURES);
        all.put("UCP_PARAM_FIELD_REQUEST_SIZE", UcpLayout.Context.HAS_REQUEST_SIZE);
        all.put("UCP_PARAM_FIELD_TAG_SENDER_MASK", UcpLayout.Context.HAS_TAG_SENDER_MASK);
        all.put("UCP_PARAM_FIELD_MT_WORKERS_SHARED", UcpLayout.Context.HAS_WORKERS_SHARED);
        all.put("UCP_PARAM_FIELD_ESTIMATED_NUM_EPS", UcpLayout.Context.HAS_ENDPOINTS);
        all.put("UCP_PARAM_FIELD_NAME", UcpLayout.Context.HAS_NAME);
        all.put("UCP_FEATURE_TAG", UcxFeature.TAG.bit());
        all.put("UCP_FEATURE_RMA", UcxFeature.REMOTE_MEMORY.bit());
        all.put("UCP_FEATURE_AMO32", UcxFeature.ATOMIC_32.bit());
        all.put("UCP_FEATURE_AMO64", UcxFeature.ATOMIC_64.bit());
        all.put("UCP_FEATURE_WAKEUP", UcxFeature.WAKEUP.bit());
        all.put("UCP_FEATURE_STREAM", UcxFeature.STREAM.bit());
        all.put("UCP_FEATURE_AM", UcxFeature.ACTIVE_MESSAGE.bit());
        all.put(offset("ucp_context_attr_t", "request_size"), UcpLayout.ContextAttributes.REQUEST_SIZE);
        all.put(offset("ucp_context_attr_t", "thread_mode"), UcpLayout.ContextAttributes.THREAD_MODE);
        all.put("UCP_ATTR_FIELD_REQUEST_SIZE", UcpLayout.ContextAttributes.HAS_REQUEST_SIZE);
        all.put("UCP_ATTR_FIELD_THREAD_MODE", UcpLayout.ContextAttributes.HAS_THREAD_MODE);
        all.put(offset("ucp_worker_params_t", "thread_mode"), UcpLayout.Worker.THREAD_MODE);
        all.put("UCP_WORKER_PARAM_FIELD_THREAD_MODE", UcpLayout.Worker.HAS_THREAD_MODE);
        all.put("UCS_THREAD_MODE_SINGLE", (long) UcxThreadMode.SINGLE.code());
        all.put("UCS_THREAD_MODE_SERIALIZED", (long) UcxThreadMode.SERIALIZED.code());
        all.put(offset("ucp_worker_attr_t", "max_am_header"), UcpLayout.WorkerAttributes.HEADER_MAX);
        all.put("UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER", UcpLayout.WorkerAttributes.HAS_HEADER_MAX);
    }

    private static void endpoint(Map<String, Long> all) {
        String params = "ucp_ep_params_t";
        all.put(offset(params, "address"), UcpLayout.Endpoint.ADDRESS);
        all.put(offset(params, "err_mode"), UcpLayout.Endpoint.ERROR_MODE);
        all.put(offset(params, "err_handler.cb"), UcpLayout.Endpoint.ERROR_CALLBACK);
        all.put(offset(params, "err_handler.arg"), UcpLayout.Endpoint.ERROR_ARGUMENT);
        all.put(offset(params, "flags"), UcpLayout.Endpoint.FLAGS);
        all.put(offset(params, "sockaddr.addr"), UcpLayout.Endpoint.SOCKET_ADDRESS);
        all.put(offset(params, "sockaddr.addrlen"), UcpLayout.Endpoint.SOCKET_ADDRESS_LENGTH);
        all.put(offset(params, "conn_request"), UcpLayout.Endpoint.CONNECTION_REQUEST);
        all.put("UCP_EP_PARAM_FIELD_REMOTE_ADDRESS", UcpLayout.Endpoint.HAS_ADDRESS);
        all.put("UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE", UcpLayout.Endpoint.HAS_ERROR_MODE);
        all.put("UCP_EP_PARAM_FIELD_ERR_HANDLER", UcpLayout.Endpoint.HAS_ERROR_HANDLER);
        all.put("UCP_EP_PARAM_FIELD_SOCK_ADDR", UcpLayout.Endpoint.HAS_SOCKET_ADDRESS);
        all.put("UCP_EP_PARAM_FIELD_FLAGS", UcpLayout.Endpoint.HAS_FLAGS);
        all.put("UCP_EP_PARAM_FIELD_CONN_REQUEST", UcpLayout.Endpoint.HAS_CONNECTION_REQUEST);
        all.put("UCP_EP_PARAMS_FLAGS_CLIENT_SERVER", (long) UcpLayout.Endpoint.CLIENT_SERVER);
        all.put("UCP_ERR_HANDLING_MODE_PEER", (long) UcxErrorMode.PEER.code());
        all.put("UCP_ERR_HANDLING_MODE_NONE", (long) UcxErrorMode.NONE.code());
        all.put(offset("ucp_ep_attr_t", "local_sockaddr"), UcpLayout.EndpointAttributes.LOCAL_ADDRESS);
        all.put(offset("ucp_ep_attr_t", "remote_sockaddr"), UcpLayout.EndpointAttributes.REMOTE_ADDRESS);
        all.put("UCP_EP_ATTR_FIELD_LOCAL_SOCKADDR", UcpLayout.EndpointAttributes.HAS_LOCAL_ADDRESS);
        all.put("UCP_EP_ATTR_FIELD_REMOTE_SOCKADDR", UcpLayout.EndpointAttributes.HAS_REMOTE_ADDRESS);
        all.put(offset("ucp_listener_params_t", "sockaddr.addr"), UcpLayout.Listener.SOCKET_ADDRESS);
        all.put(offset("ucp_listener_params_t", "sockaddr.addrlen"), UcpLayout.Listener.SOCKET_ADDRESS_LENGTH);
        all.put(offset("ucp_listener_params_t", "conn_handler.cb"), UcpLayout.Listener.CALLBACK);
        all.put(offset("ucp_listener_params_t", "conn_handler.arg"), UcpLayout.Listener.ARGUMENT);
        all.put("UCP_LISTENER_PARAM_FIELD_SOCK_ADDR", UcpLayout.Listener.HAS_SOCKET_ADDRESS);
        all.put("UCP_LISTENER_PARAM_FIELD_CONN_HANDLER", UcpLayout.Listener.HAS_CALLBACK);
        all.put(offset("ucp_listener_attr_t", "sockaddr"), UcpLayout.PeerAddress.ADDRESS);
        all.put(offset("ucp_conn_request_attr_t", "client_address"), UcpLayout.PeerAddress.ADDRESS);
        all.put("UCP_LISTENER_ATTR_FIELD_SOCKADDR", UcpLayout.PeerAddress.HAS_ADDRESS);
        all.put("UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR", UcpLayout.PeerAddress.HAS_ADDRESS);
        all.put("sizeof(struct sockaddr_storage)", UcpLayout.SOCKET_ADDRESS_SIZE);
    }

    private static void others(Map<String, Long> all) {
        all.put(offset("ucp_mem_map_params_t", "address"), UcpLayout.Memory.ADDRESS);
        all.put(offset("ucp_mem_map_params_t", "length"), UcpLayout.Memory.LENGTH);
        all.put(offset("ucp_mem_map_params_t", "flags"), UcpLayout.Memory.FLAGS);
        all.put("UCP_MEM_MAP_PARAM_FIELD_ADDRESS", UcpLayout.Memory.HAS_ADDRESS);
        all.put("UCP_MEM_MAP_PARAM_FIELD_LENGTH", UcpLayout.Memory.HAS_LENGTH);
        all.put("UCP_MEM_MAP_PARAM_FIELD_FLAGS", UcpLayout.Memory.HAS_FLAGS);
        all.put("UCP_MEM_MAP_ALLOCATE", (long) UcpLayout.Memory.ALLOCATE);
        all.put(offset("ucp_mem_attr_t", "address"), UcpLayout.MemoryAttributes.ADDRESS);
        all.put(offset("ucp_mem_attr_t", "length"), UcpLayout.MemoryAttributes.LENGTH);
        all.put("UCP_MEM_ATTR_FIELD_ADDRESS", UcpLayout.MemoryAttributes.HAS_ADDRESS);
        all.put("UCP_MEM_ATTR_FIELD_LENGTH", UcpLayout.MemoryAttributes.HAS_LENGTH);
        all.put(offset("ucp_am_handler_param_t", "id"), UcpLayout.Handler.ID);
        all.put(offset("ucp_am_handler_param_t", "cb"), UcpLayout.Handler.CALLBACK);
        all.put(offset("ucp_am_handler_param_t", "arg"), UcpLayout.Handler.ARGUMENT);
        all.put("UCP_AM_HANDLER_PARAM_FIELD_ID", UcpLayout.Handler.HAS_ID);
        all.put("UCP_AM_HANDLER_PARAM_FIELD_CB", UcpLayout.Handler.HAS_CALLBACK);
        all.put("UCP_AM_HANDLER_PARAM_FIELD_ARG", UcpLayout.Handler.HAS_ARGUMENT);
        all.put("UCP_AM_RECV_ATTR_FLAG_RNDV", UcpLayout.Handler.IS_RENDEZVOUS);
        all.put(offset("ucp_am_recv_param_t", "recv_attr"), 0L);
        all.put("UCP_AM_SEND_FLAG_REPLY", (long) UcpLayout.Operation.REPLY);
        all.put("UCP_AM_SEND_FLAG_EAGER", (long) UcxMessageMode.EAGER.flags());
        all.put("UCP_AM_SEND_FLAG_RNDV", (long) UcxMessageMode.RENDEZVOUS.flags());
        all.put(offset("ucp_tag_recv_info_t", "sender_tag"), UcpLayout.TagInfo.TAG);
        all.put(offset("ucp_tag_recv_info_t", "length"), UcpLayout.TagInfo.LENGTH);
        all.put("sizeof(ucp_tag_recv_info_t)", UcpLayout.TagInfo.SIZE);
        all.put("UCP_ATOMIC_OP_ADD", (long) UcxAtomic.ADD.code());
        all.put("UCP_ATOMIC_OP_AND", (long) UcxAtomic.AND.code());
        all.put("UCP_ATOMIC_OP_OR", (long) UcxAtomic.OR.code());
        all.put("UCP_ATOMIC_OP_XOR", (long) UcxAtomic.XOR.code());
        all.put("UCP_ATOMIC_OP_SWAP", (long) UcpLayout.ATOMIC_SWAP);
        all.put("UCP_ATOMIC_OP_CSWAP", (long) UcpLayout.ATOMIC_COMPARE_AND_SWAP);
    }

    private static void operation(Map<String, Long> all) {
        String params = "ucp_request_param_t";
        all.put(offset(params, "op_attr_mask"), UcpLayout.FIELD_MASK);
        all.put(offset(params, "flags"), UcpLayout.Operation.FLAGS);
        all.put(offset(params, "datatype"), UcpLayout.Operation.DATA_TYPE);
        all.put(offset(params, "reply_buffer"), UcpLayout.Operation.REPLY_BUFFER);
        all.put("sizeof(ucp_request_param_t)", UcpLayout.Operation.SIZE);
        all.put("UCP_OP_ATTR_FIELD_DATATYPE", (long) UcpLayout.Operation.HAS_DATA_TYPE);
        all.put("UCP_OP_ATTR_FIELD_FLAGS", (long) UcpLayout.Operation.HAS_FLAGS);
        all.put("UCP_OP_ATTR_FIELD_REPLY_BUFFER", (long) UcpLayout.Operation.HAS_REPLY_BUFFER);
        all.put("UCP_OP_ATTR_FLAG_NO_IMM_CMPL", (long) UcpLayout.Operation.IS_NEVER_IMMEDIATE);
        all.put("ucp_dt_make_contig(8)", Operations.dataType(Long.BYTES));
        all.put("UCP_EP_CLOSE_FLAG_FORCE", (long) UcpLayout.Operation.CLOSE_FORCE);
        all.put("UCP_STREAM_RECV_FLAG_WAITALL", (long) UcpLayout.Operation.STREAM_WAIT_ALL);
        all.put("sizeof(ucs_status_t)", (long) Byte.BYTES);
    }

    /** Structs may be larger in newer versions, and never smaller than what the binding allocates for older ones. */
    private static Map<String, Long> sizes() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("sizeof(ucp_params_t)", UcpLayout.Context.SIZE);
        all.put("sizeof(ucp_worker_params_t)", UcpLayout.Worker.SIZE);
        all.put("sizeof(ucp_ep_params_t)", UcpLayout.Endpoint.SIZE);
        all.put("sizeof(ucp_listener_params_t)", UcpLayout.Listener.SIZE);
        all.put("sizeof(ucp_mem_map_params_t)", UcpLayout.Memory.SIZE);
        all.put("sizeof(ucp_am_handler_param_t)", UcpLayout.Handler.SIZE);
        return all;
    }

    @Test
    void constants_areThoseOfTheHeaders(@TempDir Path folder) throws IOException, InterruptedException {
        boolean canCompile = Files.exists(HEADER) && Files.exists(COMPILER);
        if (!canCompile) {
            System.out.println("ucx: the layouts are not compared with C; apt-get install libucx-dev gcc libc6-dev");
        }
        Assumptions.assumeTrue(canCompile, "no C compiler or no " + HEADER);
        Map<String, Long> expected = new LinkedHashMap<>(constants());
        expected.putAll(sizes());
        StringBuilder program = new StringBuilder("#include <ucp/api/ucp.h>\n#include <stddef.h>\n"
            + "#include <sys/socket.h>\n#include <stdio.h>\nint main() {\n");
        for (String expression : expected.keySet()) {
            program.append("  printf(\"%lld\\n\", (long long) (").append(expression).append("));\n");
        }
        Files.writeString(folder.resolve("layout.c"), program.append("}\n"));
        ChildProcess.Result compiled = ChildProcess.run(folder, Map.of("PATH", "/usr/bin:/bin"),
            List.of(COMPILER.toString(), "layout.c", "-o", "layout"));
        assertEquals(0, compiled.exitCode(), compiled.errors());
        ChildProcess.Result result = ChildProcess.run(folder, Map.of(), List.of(folder.resolve("layout").toString()));
        Map<String, Long> found = new LinkedHashMap<>();
        List<Long> values = result.output().lines().map(Long::valueOf).toList();
        assertFalse(values.isEmpty());
        int index = 0;
        for (String expression : expected.keySet()) {
            long value = values.get(index++);
            boolean isSize = sizes().containsKey(expression) && value > expected.get(expression);
            found.put(expression, isSize ? expected.get(expression) : value);
        }
        assertEquals(expected, found);
    }
}
