package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.net.Network;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.os.FailureText;
import java.lang.foreign.MemorySegment;

/**
 * Executes the operations that clients send to a peer. Short requests are executed where they arrive; long ones on
 * threads of their own. No thread waits for backups: an answer leaves when the host says so. Thread-safe.
 */
public final class OperationService {
    private final ZoneHost host;
    private final SingleExecution singles;
    private final HeldBytes bytesHeld = new HeldBytes();

    /**
     * Creates a service.
     *
     * @param host the peer
     */
    public OperationService(ZoneHost host) {
        this.host = host;
        singles = new SingleExecution(host, bytesHeld);
    }

    /**
     * Registers the handlers.
     *
     * @param network of the peer
     */
    public void register(Network network) {
        OperationMessages.answer(network, this);
    }

    /** Executes a request; its bytes are valid until this returns. */
    void execute(MemorySegment memory, long at, int bytes, boolean isLong, Reply reply) {
        final OperationRequest request;
        try {
            request = OperationRequest.read(memory, at, bytes);
        } catch (MalformedException e) {
            reply.fail(FailureText.of(e));
            return;
        }
        final Scratch scratch = Scratch.own();
        try {
            if (request.type.isBatch()) {
                new BatchExecution(host, request, contentMax(request, isLong), scratch, reply, bytesHeld)
                    .execute();
            } else {
                singles.execute(request, isLong ? OperationFormat.CONTENT_BYTES_MAX
                    : OperationFormat.SHORT_BYTES_MAX - HEAD_BYTES, scratch, reply);
            }
        } finally {
            scratch.end();
        }
    }

    /** Returns the bytes of answers to reads that wait for acknowledgements. */
    long bytesHeld() {
        return bytesHeld.sum();
    }

    /** Returns the most contents that the answer of a batch has room for. */
    private static int contentMax(OperationRequest request, boolean isLong) {
        if (isLong) {
            return OperationFormat.CONTENT_BYTES_MAX;
        }
        final int results = request.length * (Long.BYTES + OperationFormat.SECTION_BYTES);
        return Math.max(OperationFormat.SHORT_BYTES_MAX / 2 - HEAD_BYTES - results, 0);
    }
}
