package io.teff.test.bench.net;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Networks, each a node. */
final class TeffNodes implements Nodes {
    /** On idle connections no thread handles anything. */
    private static final Executor AT_ONCE = Runnable::run;
    private static final long REACH_NS = TimeUnit.SECONDS.toNanos(60);

    private final NetCase what;
    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final List<Network> networks = new ArrayList<>();
    private final LongAdder received = new LongAdder();
    private final MessageType<Content> messages;
    private final RequestType<Content, Content> requests;

    /** The bytes of each message; read repeatedly into the same array of the reading thread. */
    private record Content(byte[] bytes) {}

    private static final class ContentCodec implements Codec<Content> {
        private final int bytes;
        private final ThreadLocal<Content> read;

        ContentCodec(int bytes) {
            this.bytes = bytes;
            read = ThreadLocal.withInitial(() -> new Content(new byte[bytes]));
        }

        @Override
        public void write(Content value, Output out) {
            out.putBytes(value.bytes, 0, bytes);
        }

        @Override
        public Content read(Input in) {
            Content content = read.get();
            System.arraycopy(in.array(), in.take(bytes), content.bytes, 0, bytes);
            return content;
        }

        @Override
        public long fingerprint() {
            return bytes;
        }
    }

    TeffNodes(NetCase what, String address, boolean isShort) throws IOException {
        this(what, address, isShort, config -> { });
    }

    TeffNodes(NetCase what, String address, boolean isShort, Consumer<NetworkConfig.Builder> more) throws IOException {
        this.what = what;
        Codec<Content> codec = new ContentCodec(what.bytes());
        messages = MessageType.of(1, codec);
        requests = RequestType.of(2, codec, codec);
        for (int node = 0; node < what.nodes(); node++) {
            open(node, address.equals("loop:") ? address + "bench-" + node : address, isShort, more);
        }
    }

    private void open(int node, String address, boolean isShort, Consumer<NetworkConfig.Builder> more)
        throws IOException {
        NetworkConfig.Builder config = NetworkConfig.builder(node).listen(address).addresses(book::get)
            .reachNs(REACH_NS);                                 // a busy machine starts threads late
        more.accept(config);
        if (what.mode() == NetMode.IDLE) {
            config.handlers(AT_ONCE);
        }
        Network network = Network.open(config.build());
        networks.add(network);
        book.put(node, network.addresses().getFirst());
        if (isShort) {
            network.handleShort(messages, (from, message) -> received.increment());
            network.answerShort(requests, (from, request) -> request);
        } else {
            network.handle(messages, (from, message) -> received.increment());
            network.answer(requests, (from, request) -> request);
        }
    }

    @Override
    public Sender sender(int from, int to) {
        Network network = networks.get(from);
        Content content = new Content(new byte[what.bytes()]);
        return new Sender() {
            @Override
            public void send() {
                network.send(to, messages, content);
            }

            @Override
            public void request() throws InterruptedException {
                network.call(to, requests, content);
            }
        };
    }

    @Override
    public long received() {
        return received.sum();
    }

    @Override
    public void close() {
        networks.forEach(Network::close);
    }
}
