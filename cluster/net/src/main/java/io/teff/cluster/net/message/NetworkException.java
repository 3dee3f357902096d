package io.teff.cluster.net.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Why a message was not sent, or a request not answered. */
public final class NetworkException extends RuntimeException {
    /** The kinds of reasons. */
    public enum Reason {
        /** Nobody knows where the node is, or it does not answer. Nothing was sent. */
        UNREACHABLE,
        /**
         * It answers, and one of the two nodes does not take the link: they are of different clusters, have different
         * secrets or certificates, or the like; the other one has as many links as it may, ends each in its greeting,
         * or is no node at all. Nothing was sent. Who is in the way of the other node can make that happen, too.
         */
        REFUSED,
        /**
         * It took longer than was allowed. Where {@code send} or {@code request} throws it, nothing was sent, or a part
         * of a long message that is not handled; where it ends a future or a {@code call}, the request may have been.
         */
        TIMED_OUT,
        /** The thread was interrupted while it waited for room, and is so still. Nothing was sent. */
        INTERRUPTED,
        /**
         * There is no room, and the caller did not want to wait, or cannot, as it is the agent; or as many requests as
         * there may be wait for their answers. Nothing was sent, or a part of a long message that is not handled.
         */
        FULL,
        /**
         * The message is longer than its type allows. Nothing was sent. Where only the receiver allows less, a request
         * ends with FAILED, and a message is told to the receiver's listener.
         */
        TOO_LARGE,
        /**
         * The session has ended before the answer came: the request may have been handled. Where {@code send} throws
         * it, the message was sent in part or not at all, and is not handled.
         */
        LOST,
        /** The other node has no handler for the type. */
        NO_HANDLER,
        /**
         * The other node's handler has thrown, could not read the request, or was refused by its executor; or the
         * answer cannot be read.
         */
        FAILED,
        /** The network was closed. What waited for an answer, or was sent in part, may have been handled. */
        CLOSED
    }

    @Serial
    private static final long serialVersionUID = 1;

    /** Kind of reason. */
    private final Reason reason;
    /** Whom it is about. */
    private final int nid;
    /** What its message says of that. */
    private final String what;

    public NetworkException(Reason reason, int nid, String what) {
        this(reason, nid, what, null);
    }

    public NetworkException(Reason reason, int nid, String what, @Nullable Throwable cause) {
        super("node " + nid + ": " + what, cause);
        this.reason = reason;
        this.nid = nid;
        this.what = what;
    }

    /** What its message says of the node. */
    public String what() {
        return what;
    }

    /** {@return the kind of reason, and the message} */
    @Override
    public String toString() {
        return getClass().getName() + " " + reason + ": " + getMessage();
    }

    /** {@return the kind of reason} */
    public Reason reason() {
        return reason;
    }

    /** {@return the node that it was about} */
    public int nid() {
        return nid;
    }
}
