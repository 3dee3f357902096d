package io.teff.rdma.transport.ucx;

import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.ucx.UcxCloseMode;
import io.teff.rdma.ucx.UcxConfig;
import io.teff.rdma.ucx.UcxContext;
import io.teff.rdma.ucx.UcxEndpoint;
import io.teff.rdma.ucx.UcxErrorMode;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxRequest;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.UcxWorker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/** A peer that uses UCX itself, and may say anything. */
final class Foreigner implements AutoCloseable {
    /** Where it takes an answer to HELLO. */
    private static final int ANSWER = 8_192;

    final UcxContext context = UcxContext.open(UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE, UcxFeature.STREAM)
        .set("MM_ERROR_HANDLING", "y").build());
    final UcxWorker worker = context.worker(UcxThreadMode.SERIALIZED);
    final UcxRequest request = worker.request();
    final UcxRequest second = worker.request();
    final MemorySegment memory = Arena.ofAuto().allocate(1 << 20, Long.BYTES);
    final UcxEndpoint peer;
    @SuppressWarnings("NullAway.Init")                        // set by the answer to HELLO
    UcxEndpoint path;

    Foreigner(String address) throws IOException {
        final InetSocketAddress to = RdmaAddress.parse("ucx", List.of("transports"), address).resolved();
        peer = worker.connect(to, UcxErrorMode.PEER);
    }

    /** Says HELLO, and takes the answer. */
    void hello(long number) {
        Hello.write(memory, number, worker.address());
        peer.streamSend(memory, 0, Hello.BYTES, request);
        peer.streamReceive(memory, ANSWER, Hello.BYTES, true, second);
    }

    /** Connects by the answer to HELLO; returns the number that the other side has sent. */
    long answered() throws IOException {
        final MemorySegment answer = memory.asSlice(ANSWER);
        path = worker.connect(Hello.address(answer, "peer"), UcxErrorMode.PEER);
        return Hello.number(answer, "peer");
    }

    /** Sends a message. */
    void send(long link, long place, int bytes) {
        new Piece(memory, request).head(link, place, false);
        path.send(UcxLinks.MESSAGE, memory, 0, 0, memory, 0, bytes, UcxMessageMode.EAGER, request);
    }

    @Override
    public void close() {
        if (path != null) {
            path.close(UcxCloseMode.FORCE);
        }
        peer.close(UcxCloseMode.FORCE);
        context.close();
    }
}
