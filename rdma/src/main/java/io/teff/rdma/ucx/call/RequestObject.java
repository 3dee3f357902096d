package io.teff.rdma.ucx.call;

/** The base of a request: the worker's side of the request stays within the module. */
public abstract class RequestObject {
    private final RequestState state;

    /**
     * Keeps the worker's side.
     *
     * @param state of this request alone
     */
    protected RequestObject(RequestState state) {
        this.state = state;
    }

    /** {@return the worker's side} */
    protected final RequestState state() {
        return state;
    }
}
