package io.teff.rdma.ucx.call;

import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ucx.UcxException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The functions that create, describe and destroy objects. All parameters are passed as {@code long}: an integer of C
 * takes a whole register, and the callee reads the declared part.
 */
public enum SetupCall {
    CONFIG_READ("ucp_config_read", 3),
    CONFIG_MODIFY("ucp_config_modify", 3),
    CONFIG_RELEASE("ucp_config_release", 1, false),
    INIT("ucp_init_version", 5),
    CLEANUP("ucp_cleanup", 1, false),
    CONTEXT_QUERY("ucp_context_query", 2),
    WORKER_CREATE("ucp_worker_create", 3),
    WORKER_DESTROY("ucp_worker_destroy", 1, false),
    WORKER_QUERY("ucp_worker_query", 2),
    WORKER_ADDRESS("ucp_worker_get_address", 3),
    WORKER_ADDRESS_RELEASE("ucp_worker_release_address", 2, false),
    WORKER_DESCRIPTOR("ucp_worker_get_efd", 2),
    WORKER_ARM("ucp_worker_arm", 1),
    WORKER_SIGNAL("ucp_worker_signal", 1),
    HANDLER_SET("ucp_worker_set_am_recv_handler", 2),
    LISTENER_CREATE("ucp_listener_create", 3),
    LISTENER_DESTROY("ucp_listener_destroy", 1, false),
    LISTENER_QUERY("ucp_listener_query", 2),
    LISTENER_REJECT("ucp_listener_reject", 2),
    CONNECTION_QUERY("ucp_conn_request_query", 2),
    ENDPOINT_CREATE("ucp_ep_create", 3),
    ENDPOINT_QUERY("ucp_ep_query", 2),
    MEMORY_MAP("ucp_mem_map", 3),
    MEMORY_UNMAP("ucp_mem_unmap", 2),
    MEMORY_QUERY("ucp_mem_query", 2),
    KEY_PACK("ucp_rkey_pack", 4),
    KEY_RELEASE("ucp_rkey_buffer_release", 1, false),
    KEY_UNPACK("ucp_ep_rkey_unpack", 3),
    KEY_DESTROY("ucp_rkey_destroy", 1, false);

    private final String function;
    private final int arguments;
    private final MethodHandle handle;

    SetupCall(String function, int arguments) {
        this(function, arguments, true);
    }

    SetupCall(String function, int arguments, boolean hasStatus) {
        this.function = function;
        this.arguments = arguments;
        final MemoryLayout[] parameters = new MemoryLayout[arguments];
        Arrays.fill(parameters, ValueLayout.JAVA_LONG);
        handle = UcpLibrary.library().handle(function, hasStatus
            ? FunctionDescriptor.of(ValueLayout.JAVA_BYTE, parameters) : FunctionDescriptor.ofVoid(parameters));
    }

    /** Returns the name of the function. */
    public String function() {
        return function;
    }

    /** Calls the function and returns the status, or 0 for a function without a status. */
    public int call(long... values) {
        assert values.length == arguments : this;
        final Object[] boxed = Arrays.stream(values).boxed().toArray();
        try {
            final Object result = handle.invokeWithArguments(boxed);
            return result == null ? 0 : (byte) result;
        } catch (Throwable t) {
            throw Downcall.failed(t);
        }
    }

    /**
     * Calls the function.
     *
     * @throws UcxException if it fails
     */
    public void run(long... values) {
        UcxException.check(function, call(values));
    }
}
