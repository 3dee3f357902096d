package io.teff.test.rdma.guest;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.offer.MemoryOffer;
import io.teff.rdma.reads.VerbsOffer;
import io.teff.rdma.verbs.connect.AddressExchange;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.test.reads.RequestServer;
import io.teff.test.reads.SlotWriter;
import io.teff.test.reads.Truth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;

/**
 * The owner of a store, in a process of its own: changes its chunks without end, and offers its memory to queue pairs.
 */
final class OwnerInProcess {
    private static final long MEMORY_BYTES = 16 << 20;
    private static final int PATIENCE_MS = 60_000;

    private OwnerInProcess() {}

    /** Arguments: the port of the reader, the file of the truth. */
    public static void main(String[] arguments) throws Exception {
        final InetSocketAddress reader = new InetSocketAddress(InetAddress.getLoopbackAddress(),
            Integer.parseInt(arguments[0]));
        try (Truth truth = new Truth(Path.of(arguments[1]));
                Store store = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build());
                MemoryOffer offer = MemoryOffer.of(store);
                Side side = new Side(Guest.right(), QueuePairSettings.of(QueuePairType.RC));
                VerbsOffer registration = VerbsOffer.register(offer, side.domain)) {
            final SlotWriter writer = new SlotWriter(store, truth);
            side.pair.initialize(Guest.PORT, Access.REMOTE_READ);
            final QueuePairAddress own = side.address(500);
            final AddressExchange.Peer peer = AddressExchange.connect(reader, own, registration.ticket().toBytes(),
                PATIENCE_MS);
            side.pair.connect(own, peer.address(), Guest.PORT, Guest.address(side.context).index(), Link.PATIENT);
            try (Socket requests = new Socket(reader.getAddress(), reader.getPort())) {
                Thread.ofPlatform().daemon().start(() -> serve(offer, requests));
                System.out.println("steps " + writer.run());
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
