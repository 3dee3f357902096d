package io.teff.test.bench.attack;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A node under attack, and an honest one that sends requests to it. */
final class Victim implements AutoCloseable {
    static final int NID = 1;
    static final int WINDOW_BYTES = 1 << 20;
    /** The type of messages that wait while {@link #hold} is set. */
    static final int SLOW_TYPE = 2;
    static final byte[] SECRET = "sixteen bytes at".getBytes(StandardCharsets.US_ASCII);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(1, Codecs.BYTES, Codecs.BYTES);
    private static final MessageType<byte[]> SLOW = MessageType.of(SLOW_TYPE, Codecs.BYTES);
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final Network attacked;
    private final Network honest;
    private volatile boolean isHeld;

    Victim() throws IOException {
        attacked = open(NID);
        attacked.answerShort(ECHO, (from, bytes) -> bytes);
        attacked.handle(SLOW, (from, bytes) -> {
            while (isHeld) {
                LockSupport.parkNanos(LOOK_NS);
            }
        });
        honest = open(NID + 1);
    }

    private Network open(int nid) throws IOException {
        Network network = Network.open(NetworkConfig.builder(nid).listen("tcp:127.0.0.1:0").addresses(book::get)
            .secret(SECRET).windowBytes(WINDOW_BYTES).build());
        book.put(nid, network.addresses().getFirst());
        return network;
    }

    InetSocketAddress address() {
        String address = attacked.addresses().getFirst();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(),
            Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
    }

    /** Sets whether slow messages are held back. */
    void hold(boolean isSo) {
        isHeld = isSo;
    }

    /** Sends a request from the honest node, and waits for the answer. */
    void ask(byte[] bytes) throws InterruptedException {
        honest.call(NID, ECHO, bytes);
    }

    @Override
    public void close() {
        honest.close();
        attacked.close();
    }
}
