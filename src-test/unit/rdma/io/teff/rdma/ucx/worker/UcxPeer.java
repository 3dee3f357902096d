package io.teff.rdma.ucx.worker;

import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.memory.UcxMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A process that answers: prints its worker's address and the key of its memory, reads the address of the other side,
 * and sends each tagged message 1 back as message 2, until it is killed or its input ends.
 */
final class UcxPeer {
    static final long REQUEST_TAG = 1;
    static final long ANSWER_TAG = 2;
    static final int MEMORY_SIZE = 1 << 20;
    static final int MESSAGE_SIZE = 8;

    private UcxPeer() {}

    /** Argument: the transports. */
    public static void main(String[] arguments) throws IOException {
        try (UcxContext context = UcxContext.open(UcxPair.config(arguments[0]).build());
                UcxMemory memory = context.allocate(MEMORY_SIZE);
                UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
                Arena arena = Arena.ofConfined()) {
            System.out.println(HexFormat.of().formatHex(worker.address()));
            System.out.println(HexFormat.of().formatHex(memory.key()));
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            UcxEndpoint back = worker.connect(HexFormat.of().parseHex(input.readLine()), UcxErrorMode.PEER);
            UcxRequest receive = worker.request();
            UcxRequest send = worker.request();
            MemorySegment buffer = arena.allocate(MESSAGE_SIZE, Long.BYTES);
            worker.tagReceive(buffer, 0, MESSAGE_SIZE, REQUEST_TAG, -1, receive);
            int idle = 0;
            while (back.failure() == null && !input.ready()) {
                idle = worker.progress() == 0 ? idle + 1 : 0;
                if (idle > 100) {
                    Thread.yield();
                }
                if (receive.isDone() && send.isDone()) {
                    back.tagSend(buffer, 0, MESSAGE_SIZE, ANSWER_TAG, send);
                    while (!send.isDone()) {
                        worker.progress();
                    }
                    worker.tagReceive(buffer, 0, MESSAGE_SIZE, REQUEST_TAG, -1, receive);
                }
            }
        }
        System.out.println("ended");
    }
}
