package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.nio.selector.report.Reports;
import io.teff.rdma.RdmaException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link whose peer is a worker of UCX: pieces in another order than they were sent, and a wake-up before a wait. */
final class ByteLinkTest {
    private static final long PEER_LINK = 1;

    private final ByteBuffer bytes = ByteBuffer.allocate(100);
    private TcpWatch watch;
    private UcxCore core;
    private ByteLink link;
    private UcxContext context;
    private UcxWorker worker;
    private UcxEndpoint endpoint;

    @BeforeEach
    void open() throws IOException {
        watch = TcpWatch.open(SelectorProvider.provider());
        try {
            core = UcxCore.open("", watch, new Reports(), 0);
        } catch (RdmaException | LinkageError e) {
            watch.close();
            Assumptions.abort("no UCX: " + e);
        }
        link = core.link(core.path(false), PEER_LINK, true);
        context = UcxContext.open(UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE).set("MM_ERROR_HANDLING", "y")
            .set("MM_SEG_SIZE", "" + StreamPieceLayout.SEGMENT).build());
        worker = context.worker(UcxThreadMode.SINGLE);
        endpoint = worker.connect(core.address(), UcxErrorMode.PEER);
    }

    @AfterEach
    void close() throws Exception {
        context.close();
        core.close();
        watch.close();
    }

    private void send(long place, int kind, String text) {
        final MemorySegment piece = Arena.ofAuto().allocate(StreamPieceLayout.HEAD + (long) text.length(), Long.BYTES);
        StreamPieceLayout.writeHead(piece, link.number(), place, kind, 0);
        MemorySegment.copy(MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII)), 0, piece,
            StreamPieceLayout.HEAD, text.length());
        final UcxRequest request = worker.request();
        endpoint.send(UcxCore.MESSAGE, piece, 0, 0, piece, 0, piece.byteSize(), UcxMessageMode.EAGER, request);
        worker.await(request, TimeUnit.SECONDS.toNanos(10));
        request.check();
    }

    private long read() throws IOException {
        worker.progress();
        return link.read(new ByteBuffer[] {bytes}, 0, 1);
    }

    @Test
    void pieces_outOfTheirOrder_areReadInTheirOrder() throws IOException {
        send(2, StreamPieceLayout.DATA, "c");
        send(1, StreamPieceLayout.DATA, "b");
        send(3, StreamPieceLayout.FIN, "");
        assertEquals(0, read());
        send(0, StreamPieceLayout.DATA, "a");
        Threads.await("the end of the stream", () -> {
            try {
                return read() < 0;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertEquals("abc", new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII));
    }

    @Test
    void piece_thatComesTwice_resetsTheLink() throws Exception {
        send(0, StreamPieceLayout.DATA, "a");
        send(0, StreamPieceLayout.DATA, "a");
        Threads.await("a reset", () -> {
            worker.progress();
            return link.toString().endsWith("Connection reset");
        });
        assertEquals(1, read());
        assertThrows(IOException.class, this::read);
    }

    /** A program shuts the input down between the look of a reader and the wait of the reader. */
    @Test
    @Timeout(60)
    void wakeUp_sinceTheLook_endsTheWait() throws Exception {
        final long look = link.wakeUps();
        link.wakeUp();
        link.await(true, 0, look);
        assertEquals(look + 1, link.wakeUps());
    }
}
