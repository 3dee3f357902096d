package io.teff.rdma.ucx.call;

import io.teff.rdma.ucx.UcxStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The state of an endpoint that requests and remote memory need: the native endpoint, the worker, the failure. */
public final class EndpointCore implements Callbacks.FailureTarget {
    private final WorkerProgress progress;
    private final long pointer;
    private volatile @Nullable UcxStatus failure;

    /**
     * Keeps a new endpoint.
     *
     * @param progress of the worker
     * @param pointer the address of UCX's endpoint
     */
    public EndpointCore(WorkerProgress progress, long pointer) {
        this.progress = progress;
        this.pointer = pointer;
    }

    /** Returns the progress of the worker. */
    public WorkerProgress progress() {
        return progress;
    }

    /** Returns the address of UCX's endpoint. */
    public long pointer() {
        return pointer;
    }

    /** Returns why the endpoint has failed; null if the endpoint has not failed. */
    public @Nullable UcxStatus failure() {
        return failure;
    }

    /** Takes note of a failure that UCX reports; from any call of the worker. */
    @Override
    public void failed(long endpoint, UcxStatus status) {
        if (endpoint == pointer && failure == null) {
            failure = status;
            progress.endpointFailed();
        }
    }

    /** Makes a request busy; returns false if the endpoint has failed: the failure is then the request's outcome. */
    public boolean begin(RequestState request, RequestState.Kind kind, @Nullable MemorySegment buffer) {
        request.begin(progress, kind, buffer);
        return isReady(request);
    }

    /** Makes a request on remote memory busy; returns false if the endpoint has failed. */
    public boolean begin(RequestState request, KeyUse key, @Nullable MemorySegment buffer) {
        request.begin(progress, key, buffer);
        return isReady(request);
    }

    private boolean isReady(RequestState request) {
        request.isOf(this);
        final UcxStatus failed = failure;
        if (failed != null) {
            request.end(failed);
        }
        return failed == null;
    }
}
