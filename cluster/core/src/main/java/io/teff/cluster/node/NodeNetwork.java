package io.teff.cluster.node;

import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The network of a node, as its configuration says. */
final class NodeNetwork {
    private NodeNetwork() {}

    /** Returns a configuration that knows the superpeers, and listens. */
    static NetworkConfig of(NodeConfig config, int nid, int handlerThreads, Consumer<String> log) {
        NetworkConfig.Builder builder = NetworkConfig.builder(nid).listen(config.listen().link())
            .addresses(superpeers(config)).secret(config.secret().bytes()).handlerThreads(handlerThreads)
            .listener(new Reporter(log));
        SSLContext tls = config.tls().context();
        return (tls == null ? builder : builder.tls(tls)).build();
    }

    private static IntFunction<@Nullable String> superpeers(NodeConfig config) {
        List<String> addresses = config.superpeers().stream().map(address -> address.link()).toList();
        return nid -> nid >= CellMessages.nid(0) && nid < CellMessages.nid(addresses.size())
            ? addresses.get(nid - CellMessages.nid(0)) : null;
    }

    /** Writes what the network reports to the node's log. */
    private record Reporter(Consumer<String> log) implements NetworkListener {
        @Override
        public void lost(int nid, long messages, String why) {
            log.accept("lost the session with node " + nid + ", perhaps " + messages + " messages: " + why);
        }

        @Override
        public void refused(int nid, String peer, String why) {
            log.accept("refused a link of " + peer + " (node " + nid + "): " + why);
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            log.accept("the handler of message type " + type + " of node " + nid + " failed: "
                + FailureText.of(thrown));
        }
    }
}
