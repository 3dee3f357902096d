package io.teff.examples;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Two nodes that talk: messages in order, and requests with an answer.
 *
 * <p>A node is named by a number, its NID. Here both nodes are in one process and talk twice, once over memory
 * ({@code loop:}) and once over TCP; the code that talks is the same. Connections are made when they are needed, and
 * each message is handled once, in the order of its lane.
 */
public final class TwoNodes {
    private static final int SHOP = 1;
    private static final int BUYER = 2;
    private static final int LANE = 7;

    private static final MessageType<String> NEWS = MessageType.of(1, Codecs.STRING);
    private static final RequestType<Order, Integer> PRICE = RequestType.of(2, Codecs.of(Order.class), Codecs.INT);

    private TwoNodes() {}

    /** A request for the price of an item. */
    record Order(String item, int count) {}

    static void main() throws IOException, InterruptedException {
        talk("loop:example");
        talk("tcp:127.0.0.1:0");                                // port 0: any free port
    }

    private static void talk(String listen) throws IOException, InterruptedException {
        List<String> news = new CopyOnWriteArrayList<>();
        NetworkConfig shop = NetworkConfig.builder(SHOP).listen(listen).build();
        try (Network one = Network.open(shop, network -> {
            network.handle(NEWS, (from, text) -> news.add(text + " from " + from));
            network.answer(PRICE, (_, order) -> order.count() * order.item().length());
        })) {
            String address = one.addresses().getFirst();        // in a cluster, from its configuration
            NetworkConfig buyer = NetworkConfig.builder(BUYER).addresses(nid -> nid == SHOP ? address : null).build();
            try (Network two = Network.open(buyer)) {
                two.send(SHOP, LANE, NEWS, "hello");
                two.send(SHOP, LANE, NEWS, "good morning");
                IO.println("price: " + two.call(SHOP, PRICE, new Order("apple", 3)));
                int later = two.request(SHOP, PRICE, new Order("pear", 2)).join();
                IO.println("without waiting: " + later);
            }                                                   // close delivers the messages that were sent
        }
        IO.println(listen.substring(0, listen.indexOf(':')) + ": " + news);
    }
}
