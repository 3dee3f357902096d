package io.teff.rdma.ucx.message;

/**
 * Receives the active messages of one number of a worker.
 *
 * <p>UCX demands a call into Java here, the only one of the data path. It comes from a call of the worker: mostly
 * {@link io.teff.rdma.ucx.worker.UcxWorker#progress}; from a send, if a worker sends to itself. A handler may send, and
 * begin to receive; it must not make progress, and must not create or close objects: these calls throw {@link
 * IllegalStateException}. An exception of a handler ends the message alone. The exception is thrown by the {@code
 * progress} that has called it, or by the next one.
 */
@FunctionalInterface
public interface UcxMessageHandler {
    /**
     * Handles one message.
     *
     * @param message valid until this method returns
     */
    void onMessage(UcxMessage message);
}
