package io.teff.rdma.ucx.worker;

/** How a close ends the operations of an endpoint. */
public enum UcxCloseMode {
    /** They are finished first, for as long as the context's close timeout; those left then are cancelled. */
    FLUSH,
    /** They are cancelled. Needs {@link UcxErrorMode#PEER}; an endpoint without it is flushed. */
    FORCE
}
