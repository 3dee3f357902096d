package io.teff.rdma.ucx.call;

/**
 * A key of a peer's memory, and the operations under way that use the key. UCX must not destroy the key before the last
 * operation has ended. All methods run within the turn of the worker.
 */
public final class KeyUse {
    private final long key;
    private int operationCount;
    private boolean isClosed;

    /** Keeps a key that UCX has unpacked. */
    public KeyUse(long key) {
        this.key = key;
    }

    /** Returns the address of UCX's key. */
    public long key() {
        return key;
    }

    /** Counts an operation that begins. */
    void begins() {
        operationCount++;
    }

    /** Counts an operation that has ended. */
    void ends() {
        operationCount--;
        if (operationCount == 0 && isClosed) {
            SetupCall.KEY_DESTROY.run(key);
        }
    }

    /** Destroys the key, now or at the end of the last operation. Called once. */
    public void close() {
        isClosed = true;
        if (operationCount == 0) {
            SetupCall.KEY_DESTROY.run(key);
        }
    }
}
