package io.teff.cluster.net.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A message was not sent, or a request not answered. */
public final class NetworkException extends RuntimeException {
    /** Kinds of reasons. */
    public enum Reason {
        /** The address of the node is unknown, or the node does not answer. Nothing was sent. */
        UNREACHABLE,
        /**
         * The node answers, and either node refuses the link: the other node has another NID, is at its limit of links,
         * ends each link during the handshake, or is not a Teff node. Nothing was sent. An attacker on the way to the
         * other node can cause this refusal, too.
         */
        REFUSED,
        /**
         * This node has drawn its NID by lot, and another process has the same NID. Another network, with another NID,
         * may be accepted. Nothing was sent.
         */
        TAKEN,
        /**
         * The two nodes cannot talk until one of them is configured anew: the nodes have different secrets, belong to
         * different clusters, do not trust each other's certificates, a certificate lacks a required name, or only one
         * of the nodes has TLS. Known at the first dial, and the text names the remedy. Nothing was sent. An attacker
         * on the way to the other node can cause this refusal, too.
         */
        MISFIT,
        /**
         * The time limit has expired. If {@code send} or {@code request} throws this exception, nothing was sent, or a
         * part of a long message was sent and is not handled; if the exception ends a future or a {@code call}, the
         * request may have been handled.
         */
        TIMED_OUT,
        /** The thread was interrupted while waiting for room, and the interrupt flag is set. Nothing was sent. */
        INTERRUPTED,
        /**
         * There is no room, and the caller did not want to wait, or cannot wait because the caller is the agent; or the
         * limit of requests in flight is reached. Nothing was sent, or a part of a long message was sent and is not
         * handled.
         */
        FULL,
        /**
         * The message is longer than allowed by its type. Nothing was sent. If only the receiver allows less, a request
         * ends with FAILED, and a message is reported to the receiver's listener.
         */
        TOO_LARGE,
        /**
         * The session has ended before the answer arrived: the request may have been handled. If {@code send} throws
         * this exception, the message was sent in part or not at all, and is not handled.
         */
        LOST,
        /** The other node has no handler for the type. */
        NO_HANDLER,
        /**
         * The handler of the other node has thrown, could not read the request, or was rejected by its executor; or the
         * answer cannot be read.
         */
        FAILED,
        /**
         * The other node has not done the request, because this process lacks the right or is over a limit. The cause
         * is a {@link DeniedException}.
         */
        DENIED,
        /**
         * The network was closed. A request waiting for an answer, or a message sent in part, may have been handled.
         */
        CLOSED
    }

    @Serial
    private static final long serialVersionUID = 1;

    /** The kind of reason. */
    private final Reason reason;
    /** The other node. */
    private final int nid;
    /** The message without the node. */
    private final String what;

    /**
     * Makes an exception without a cause.
     *
     * @param reason the kind of reason
     * @param nid the node in question
     * @param what text of the message without the node
     */
    public NetworkException(Reason reason, int nid, String what) {
        this(reason, nid, what, null);
    }

    /**
     * Makes an exception.
     *
     * @param reason the kind of reason
     * @param nid the node in question
     * @param what text of the message without the node
     * @param cause or null
     */
    public NetworkException(Reason reason, int nid, String what, @Nullable Throwable cause) {
        super("node " + nid + ": " + what, cause);
        this.reason = reason;
        this.nid = nid;
        this.what = what;
    }

    /** {@return the message without the node} */
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

    /** {@return the node that the exception is about} */
    public int nid() {
        return nid;
    }
}
