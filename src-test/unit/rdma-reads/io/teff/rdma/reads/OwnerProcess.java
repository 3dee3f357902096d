package io.teff.rdma.reads;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.offer.MemoryOffer;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxWorker;
import io.teff.test.reads.RequestServer;
import io.teff.test.reads.SlotWriter;
import io.teff.test.reads.Truth;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;

/**
 * The owner of a store, in a process of its own: changes its chunks without end, and offers its memory over UCX. Tells
 * its port on standard output; the first connection there brings the ticket and the address of the worker, the second
 * one is for requests.
 */
final class OwnerProcess {
    private static final long MEMORY_BYTES = 64 << 20;
    private static final int IDLE_MAX = 2000;
    private static final long SLEEP_NS = 10_000_000;

    private OwnerProcess() {}

    /** Arguments: transports of UCX, the file of the truth. */
    public static void main(String[] arguments) throws Exception {
        try (Truth truth = new Truth(Path.of(arguments[1]));
                Store store = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build());
                MemoryOffer offer = MemoryOffer.of(store);
                UcxContext context = UcxContext.open(TwoProcessReadsTest.config(arguments[0]));
                UcxOffer registration = UcxOffer.register(offer, context);
                ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            final SlotWriter writer = new SlotWriter(store, truth);
            final UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
            System.out.println("port " + server.getLocalPort());
            try (Socket control = server.accept(); Socket requests = server.accept()) {
                final DataOutputStream out = new DataOutputStream(control.getOutputStream());
                for (byte[] bytes : new byte[][] {registration.ticket().toBytes(), worker.address()}) {
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
                out.flush();
                Thread.ofPlatform().daemon().start(() -> serve(offer, requests));
                final Thread changing = Thread.ofPlatform().start(() -> System.out.println("steps " + writer.run()));
                int idle = 0;
                while (changing.isAlive()) {
                    idle = worker.progress() == 0 ? idle + 1 : 0;
                    if (idle > IDLE_MAX) {
                        worker.sleep(SLEEP_NS);
                        idle = 0;
                    }
                }
                changing.join();
            }
        }
    }

    private static void serve(MemoryOffer offer, Socket requests) {
        try {
            new RequestServer(offer).serve(requests);
        } catch (IOException _) {
            // the reader has ended
        }
    }
}
