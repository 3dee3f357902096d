package io.teff.rdma.ucx;

/** How the bytes of an active message travel. */
public enum UcxMessageMode {
    /** As UCX chooses by length. */
    AUTOMATIC(0),
    /** With the message: the receiver's handler finds them at once. */
    EAGER(2),
    /** After the receiver has named a buffer, without a copy where the transport allows it. */
    RENDEZVOUS(4);

    private final int flags;

    UcxMessageMode(int flags) {
        this.flags = flags;
    }

    /** {@return the flags of {@code ucp_am_send_nbx}} */
    public int flags() {
        return flags;
    }
}
