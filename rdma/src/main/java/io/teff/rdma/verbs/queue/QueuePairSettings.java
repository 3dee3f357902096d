package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The service and the sizes of a queue pair. A device may give more than was asked for: {@link QueuePair#settings}.
 *
 * @param type the service
 * @param sendRequests sends under way at a time
 * @param receiveRequests receives under way at a time; without meaning with a shared receive queue
 * @param sendSegments pieces of memory of a send
 * @param receiveSegments pieces of memory of a receive
 * @param inlineBytes bytes that a send may have inline; devices without inline data give 0, or refuse
 * @param isAllSignalled whether each send has a completion
 */
public record QueuePairSettings(QueuePairType type, int sendRequests, int receiveRequests, int sendSegments,
        int receiveSegments, int inlineBytes, boolean isAllSignalled) {
    private static final int REQUESTS = 128;

    /** Checks the type and the signs. */
    public QueuePairSettings {
        if (type == QueuePairType.UNKNOWN || sendRequests < 0 || receiveRequests < 0 || sendSegments < 0
            || receiveSegments < 0 || inlineBytes < 0) {
            throw new IllegalArgumentException("type=" + type + " sendRequests=" + sendRequests + " receiveRequests="
                + receiveRequests + " sendSegments=" + sendSegments + " receiveSegments=" + receiveSegments
                + " inlineBytes=" + inlineBytes);
        }
    }

    /**
     * {@return settings with 128 requests of one segment in each direction, selectively signalled}
     *
     * @param type the service
     */
    public static QueuePairSettings of(QueuePairType type) {
        return new QueuePairSettings(type, REQUESTS, REQUESTS, 1, 1, 0, false);
    }

    /**
     * {@return these settings with other numbers of requests}
     *
     * @param sends under way at a time
     * @param receives under way at a time
     */
    public QueuePairSettings withRequests(int sends, int receives) {
        return new QueuePairSettings(type, sends, receives, sendSegments, receiveSegments, inlineBytes, isAllSignalled);
    }

    /**
     * {@return these settings with other numbers of segments}
     *
     * @param ofSends pieces of memory of a send
     * @param ofReceives pieces of memory of a receive
     */
    public QueuePairSettings withSegments(int ofSends, int ofReceives) {
        return new QueuePairSettings(type, sendRequests, receiveRequests, ofSends, ofReceives, inlineBytes,
            isAllSignalled);
    }

    /**
     * {@return these settings with another length of inline data}
     *
     * @param bytes that a send may have inline
     */
    public QueuePairSettings withInlineBytes(int bytes) {
        return new QueuePairSettings(type, sendRequests, receiveRequests, sendSegments, receiveSegments, bytes,
            isAllSignalled);
    }

    /**
     * {@return these settings with a completion for each send, or for those that ask for it}
     *
     * @param isSignalled whether each send has a completion
     */
    public QueuePairSettings withAllSignalled(boolean isSignalled) {
        return new QueuePairSettings(type, sendRequests, receiveRequests, sendSegments, receiveSegments, inlineBytes,
            isSignalled);
    }

    /** Writes the part of an ibv_qp_init_attr that is here. */
    void write(MemorySegment struct) {
        final long cap = VerbsLayout.QP_INIT_CAP;
        struct.set(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_SEND_WR, sendRequests);
        struct.set(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_RECV_WR, receiveRequests);
        struct.set(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_SEND_SGE, sendSegments);
        struct.set(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_RECV_SGE, receiveSegments);
        struct.set(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_INLINE_DATA, inlineBytes);
        struct.set(ValueLayout.JAVA_INT, VerbsLayout.QP_INIT_TYPE, type.code());
        struct.set(ValueLayout.JAVA_INT, VerbsLayout.QP_INIT_SQ_SIG_ALL, isAllSignalled ? 1 : 0);
    }

    /** Returns these settings with the sizes of an ibv_qp_cap, as the device has granted them. */
    QueuePairSettings granted(MemorySegment struct, long cap) {
        return new QueuePairSettings(type, struct.get(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_SEND_WR),
            struct.get(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_RECV_WR),
            struct.get(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_SEND_SGE),
            struct.get(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_RECV_SGE),
            struct.get(ValueLayout.JAVA_INT, cap + VerbsLayout.CAP_MAX_INLINE_DATA), isAllSignalled);
    }
}
