package io.teff.rdma.ucx;

/** The threads that may use a worker and its objects. */
public enum UcxThreadMode {
    /**
     * Only the thread that has created the worker. Calls cost no lock. The same thread closes the worker, or any thread
     * after the end of this thread.
     */
    SINGLE(0),
    /** Any thread, one at a time: a call throws {@link IllegalStateException} during a call of another thread. */
    SERIALIZED(1),
    /** Any thread: a call waits for the call of another thread. The binding has the lock, so UCX needs none. */
    MULTI(1);

    private final int code;

    UcxThreadMode(int code) {
        this.code = code;
    }

    /** {@return the value of {@code ucs_thread_mode_t} that UCX gets} */
    public int code() {
        return code;
    }
}
