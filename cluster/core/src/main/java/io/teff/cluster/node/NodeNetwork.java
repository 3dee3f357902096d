package io.teff.cluster.node;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The network of a node, according to the node's configuration. */
final class NodeNetwork {
    private NodeNetwork() {}

    /** Returns a configuration with the addresses of the superpeers and a listening address. */
    static NetworkConfig of(NodeConfig config, int nid, int handlerThreads, NodeLog log) {
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

    /** Writes the reports of the network to the node's log. */
    private record Reporter(NodeLog log) implements NetworkListener {
        @Override
        public void lost(int nid, long messages, String why) {
            if (messages > 0) {                                 // the ordered end of a client is no event
                log.log(NodeEvent.SESSION_LOST, nid + NodeLog.words(why), "the session with node " + nid
                    + " has ended, perhaps with " + messages + " messages: " + why);
            }
        }

        @Override
        public void refused(int nid, String peer, String why) {
            log.log(NodeEvent.LINK_REFUSED, host(peer) + NodeLog.words(why),
                "a link with " + peer + " was refused: " + why);
        }

        /** Returns an address without its port. The port differs between attempts. */
        private static String host(String peer) {
            int colon = peer.lastIndexOf(':');
            return colon < 0 ? peer : peer.substring(0, colon);
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            String why = FailureText.of(thrown);
            log.log(NodeEvent.FAULT, NodeLog.words(why), "a request of node " + nid + " has failed here: " + why);
        }
    }
}
