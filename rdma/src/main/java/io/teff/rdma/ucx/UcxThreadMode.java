package io.teff.rdma.ucx;

/** Which threads may use a worker and all that belongs to it. */
public enum UcxThreadMode {
    /**
     * The thread that has created the worker, and no other one. Calls cost no lock. Only that thread can close the
     * worker, or any thread once that one has ended.
     */
    SINGLE(0),
    /** Any thread, one at a time: a call throws {@link IllegalStateException} while another thread is in one. */
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
