package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.net.Network;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import java.lang.foreign.MemorySegment;

/**
 * Executes the operations that clients send to a peer. Short requests are executed by the thread of their arrival, long
 * requests by threads of their own. No thread waits for backups: an answer leaves when the host says so. Thread-safe.
 */
public final class OperationService {
    private final ZoneHost host;
    private final HeldBytes bytesHeld;
    private final RequestTimes times;

    /**
     * Creates a service.
     *
     * @param host the peer
     * @param times counts the requests
     */
    public OperationService(ZoneHost host, RequestTimes times) {
        this(host, new HeldBytes(), times);
    }

    /**
     * Creates a service without a use for its counts.
     *
     * @param host the peer
     */
    public OperationService(ZoneHost host) {
        this(host, new HeldBytes());
    }

    /** Creates a service whose answers are held within a bound. */
    OperationService(ZoneHost host, HeldBytes bytesHeld) {
        this(host, bytesHeld, new RequestTimes(() -> 0));
    }

    private OperationService(ZoneHost host, HeldBytes bytesHeld, RequestTimes times) {
        this.host = host;
        this.bytesHeld = bytesHeld;
        this.times = times;
    }

    /**
     * Registers the handlers.
     *
     * @param network of the peer
     */
    public void register(Network network) {
        OperationMessages.answer(network, this);
    }

    /** Executes a request; the bytes are valid until this method returns. */
    void execute(MemorySegment memory, long at, int bytes, boolean isLong, Reply to) {
        final Scratch scratch = Scratch.own();
        final Reply reply = times.of(scratch, to);
        final OperationRequest request;
        try {
            request = OperationRequest.read(memory, at, bytes);
        } catch (MalformedException e) {
            reply.fail(FailureText.of(e));
            return;
        }
        try {
            final SessionCaller caller = SessionCaller.now();
            if (caller != null) {
                OperationRights.check(caller, request);
            }
            if (request.type.isBatch()) {
                new BatchExecution(host, bytesHeld, request, contentMax(request, isLong), isLong, scratch, reply)
                    .execute();
            } else {
                execute(new SingleAnswer(host, bytesHeld, request, isLong, scratch, reply), isLong);
            }
        } finally {
            scratch.end();
        }
    }

    private void execute(SingleAnswer answer, boolean isLong) {
        final OperationRequest request = answer.request();
        final int zone = Cid.nid(request.cid);
        final ChunkStore store = host.serving(zone);
        final SlotTable slots = request.needsSlots() ? host.slots(zone) : null;
        if (store == null || slots == null && request.needsSlots()) {
            answer.notHere();
            return;
        }
        final SessionCaller caller = SessionCaller.now();
        if (caller != null && slots != null && (request.type.isOfMap() || request.type.isOfCollection())) {
            OperationRights.checkName(caller, request, store, slots.maps(), host.clock().nowNs());
        }
        if (request.type == OperationType.CIDS || request.type == OperationType.CIDS_WHERE) {
            CidsExecution.execute(store, answer, isLong);
        } else if (slots != null && request.type.isOfMap()) {
            new MapExecution(host, store, slots, answer, isLong).execute();
        } else if (slots != null && request.type.isOfCollection()) {
            new CollectionExecution(host, store, slots, answer, isLong).execute();
        } else if (slots != null && request.type.isChange()) {
            change(store, slots, answer);
        } else {
            new ReadExecution(host, store, slots, answer).execute();
        }
    }

    private void change(ChunkStore store, SlotTable slots, SingleAnswer answer) {
        final RecordedZone zone;
        try {
            zone = slots.recorded().take(store, host);
        } catch (ZoneDroppedException _) {
            answer.code(OperationFormat.DEPOSED);
            return;
        }
        try {
            new ChangeExecution(host, slots, zone, answer).execute();
        } finally {
            slots.recorded().give(zone);
        }
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
