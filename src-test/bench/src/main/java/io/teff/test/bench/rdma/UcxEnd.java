package io.teff.test.bench.rdma;

import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.memory.UcxMemory;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An end that is a worker of UCX in a context of its own. Made, connected and used by one thread. Operations end in
 * their order as far as this class looks: it asks the oldest one.
 */
final class UcxEnd implements End {
    private static final int WINDOW = 32;
    private static final int RECEIVES = 64;
    private static final long ANY = 0;
    private static final int LOOK_MASK = 63;

    private final RdmaCase what;
    private final int number;
    private final Arena arena = Arena.ofShared();
    private final UcxContext context;
    private final UcxWorker worker;
    private final byte[] address;
    private final UcxMemory memory;
    private final byte[] key;
    private final MemorySegment source = arena.allocate(RdmaCase.BYTES_MAX, Long.BYTES);
    private final MemorySegment target = arena.allocate(RdmaCase.BYTES_MAX, Long.BYTES);
    private final UcxEndpoint[] endpoints;
    private final UcxRemoteMemory[] remotes;
    private final UcxRequest[] requests = new UcxRequest[WINDOW];
    private final UcxRequest[] receives;
    private final boolean isStream;
    private boolean isFinishing;
    private boolean isFinished;
    private long polls;
    /** Over TCP: the ends are closed one after the other by one thread, and force does not wait for the other end. */
    private final UcxErrorMode errorMode;
    private long begun;
    private long ended;
    private long arrived;

    UcxEnd(String transports, RdmaCase what, int number) {
        this.what = what;
        this.number = number;
        errorMode = transports.equals(RdmaKind.TCP) ? UcxErrorMode.PEER : UcxErrorMode.NONE;
        context = UcxContext.open(UcxConfig.builder(features(what.pattern())).set("TLS", transports).build());
        worker = context.worker(UcxThreadMode.SINGLE);
        address = worker.address();
        memory = context.allocate(RdmaCase.BYTES_MAX);
        key = memory.key();
        endpoints = new UcxEndpoint[what.pattern().ends()];
        remotes = new UcxRemoteMemory[endpoints.length];
        for (int i = 0; i < WINDOW; i++) {
            requests[i] = worker.request();
        }
        isStream = what.pattern() == RdmaPattern.STREAM;
        receives = new UcxRequest[isStream ? 1 : RECEIVES];
    }

    private static UcxFeature[] features(RdmaPattern pattern) {
        return pattern.isAtomic() ? new UcxFeature[] {UcxFeature.REMOTE_MEMORY, UcxFeature.ATOMIC_64}
            : pattern.isOneSided() ? new UcxFeature[] {UcxFeature.REMOTE_MEMORY}
            : pattern == RdmaPattern.STREAM ? new UcxFeature[] {UcxFeature.STREAM, UcxFeature.REMOTE_MEMORY}
            : new UcxFeature[] {UcxFeature.TAG, UcxFeature.REMOTE_MEMORY};
    }

    @Override
    public void connect(End[] all) {
        for (int i = 0; i < all.length; i++) {
            if (i != number) {
                final UcxEnd peer = (UcxEnd) all[i];
                endpoints[i] = worker.connect(peer.address, errorMode);
                if (what.pattern().isOneSided()) {
                    remotes[i] = endpoints[i].remote(peer.key);
                }
            }
        }
        for (int i = 0; i < receives.length; i++) {
            receives[i] = worker.request();
            if (isReceiving()) {
                receive(receives[i]);
            }
        }
    }

    /** Whether messages come here; of a stream, from the first end to the second one. */
    private boolean isReceiving() {
        return isStream ? number == 1 : !what.pattern().isOneSided();
    }

    /** A receive from a stream cannot be cancelled: the sender sends a last piece, and it is the last one received. */
    @Override
    public void finish() {
        isFinishing = isStream;
        if (isStream && number == 0) {
            begin(1);
        }
    }

    private void receive(UcxRequest request) {
        if (isStream) {
            endpoints[1 - number].streamReceive(target, 0, what.bytes(), true, request);
        } else {
            worker.tagReceive(target, 0, what.bytes(), ANY, 0, request);
        }
    }

    @Override
    public boolean begin(int to) {
        if (begun - ended >= (what.pattern() == RdmaPattern.WRITE_LATENCY ? 1 : WINDOW)) {
            return false;
        }
        final UcxRequest request = requests[(int) (begun % WINDOW)];
        final int bytes = what.bytes();
        switch (what.pattern()) {
            case READ_LATENCY, READ_RATE -> remotes[to].get(target, 0, bytes, 0, request);
            case WRITE_RATE -> remotes[to].put(source, 0, bytes, 0, request);
            case WRITE_LATENCY -> {
                remotes[to].put(source, 0, bytes, 0, requests[1]);
                endpoints[to].flush(requests[0]);
            }
            case ATOMIC_LATENCY, ATOMIC_RATE -> remotes[to].fetchAndAdd64(0, 1, request);
            case STREAM -> endpoints[to].streamSend(source, 0, bytes, request);
            default -> endpoints[to].tagSend(source, 0, bytes, number, request);
        }
        begun++;
        return true;
    }

    @Override
    public int poll() {
        final int events = worker.progress();
        polls++;
        // A message that comes is an event. One that was there before its receive was begun is found now and then.
        if (isReceiving() && (events > 0 || (polls & LOOK_MASK) == 0)) {
            look();
        }
        int count = 0;
        if (what.pattern() == RdmaPattern.WRITE_LATENCY) {
            count = begun > ended && requests[1].isDone() && requests[0].isDone() ? 1 : 0;
        } else {
            while (ended + count < begun && requests[(int) ((ended + count) % WINDOW)].isDone()) {
                count++;
            }
        }
        ended += count;
        return count;
    }

    /** Looks for what has arrived, in the order of the receives, and receives again. */
    private void look() {
        UcxRequest request = receives[(int) (arrived % receives.length)];
        while (!isFinished && request.isDone()) {
            request.check();
            arrived++;
            if (isFinishing) {
                isFinished = true;
                return;
            }
            receive(request);
            request = receives[(int) (arrived % receives.length)];
        }
    }

    @Override
    public long begun() {
        return begun;
    }

    @Override
    public long arrived() {
        return arrived;
    }

    @Override
    public int underWay() {
        return (int) (begun - ended);
    }

    @Override
    public boolean isPassive() {
        return false;
    }

    @Override
    public void close() {
        for (UcxEndpoint endpoint : endpoints) {
            if (endpoint != null && errorMode == UcxErrorMode.PEER) {
                endpoint.close(UcxCloseMode.FORCE);
            }
        }
        context.close();
        arena.close();
    }
}
