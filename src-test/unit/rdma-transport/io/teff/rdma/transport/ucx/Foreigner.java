package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A peer that uses UCX itself, and may say anything. */
final class Foreigner implements AutoCloseable {
    /** Where it takes an answer to HELLO. */
    private static final int ANSWER = 8_192;
    private static final long WAIT_NS = 30_000_000_000L;

    final UcxContext context = UcxContext.open(UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE)
        .set("MM_ERROR_HANDLING", "y").build());
    final UcxWorker worker = context.worker(UcxThreadMode.SERIALIZED);
    final UcxRequest request = worker.request();
    final MemorySegment memory = Arena.ofAuto().allocate(1 << 20, Long.BYTES);
    final SocketChannel connection;
    private final ByteBuffer answer = memory.asSlice(ANSWER, UcxHello.BYTES).asByteBuffer();
    @SuppressWarnings("NullAway.Init")                        // set by the answer to HELLO
    UcxEndpoint path;
    private int receivedCount;

    Foreigner(String address) throws IOException {
        connection = SocketChannel.open(RdmaAddress.parse("ucx", List.of("transports"), address).resolved());
        connection.configureBlocking(false);
        worker.onMessage(UcxLinks.MESSAGE, _ -> receivedCount++);
    }

    /** Returns whether the other side has sent a message, so that both directions of the path are made. */
    boolean isReached() {
        return receivedCount > 0;
    }

    /** Says HELLO. */
    void hello(long number) throws IOException {
        UcxHello.write(memory, number, worker.address());
        sayBegin();
    }

    /** Says what is in the first bytes of the memory. */
    void sayBegin() throws IOException {
        final ByteBuffer bytes = memory.asSlice(0, UcxHello.BYTES).asByteBuffer();
        while (bytes.hasRemaining()) {
            connection.write(bytes);
        }
    }

    /** Returns whether the whole answer to HELLO has arrived. */
    boolean isAnswered() {
        return read() >= 0 && !answer.hasRemaining();
    }

    /** Returns whether the other side has ended the connection, with what it has not read. */
    boolean isCutOff() {
        return read() < 0;
    }

    private int read() {
        try {
            return connection.read(answer.hasRemaining() ? answer : ByteBuffer.allocate(1));
        } catch (IOException _) {
            return -1;                                          // reset
        }
    }

    /** Connects by the answer to HELLO; returns the number that the other side has sent. */
    long answered() throws IOException {
        final MemorySegment hello = memory.asSlice(ANSWER);
        path = worker.connect(UcxHello.address(hello, "peer"), UcxErrorMode.PEER);
        return UcxHello.number(hello, "peer");
    }

    /** Sends a message. */
    void send(long link, long place, int bytes) {
        PieceLayout.writeHead(memory, link, place, false);
        path.send(UcxLinks.MESSAGE, memory, 0, 0, memory, 0, bytes, UcxMessageMode.EAGER, request);
    }

    /** Waits until its request is done, while nothing polls the other side. */
    void finish() {
        final long begin = System.nanoTime();
        while (!request.isDone()) {
            assertTrue(System.nanoTime() - begin < WAIT_NS, "the request waits for the other side");
            worker.progress();
        }
    }

    @Override
    public void close() throws IOException {
        if (path != null) {
            path.close(UcxCloseMode.FORCE);
        }
        connection.close();
        context.close();
    }
}
