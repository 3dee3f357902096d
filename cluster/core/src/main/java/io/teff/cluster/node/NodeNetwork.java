package io.teff.cluster.node;

import io.teff.cluster.cell.ClientNid;
import io.teff.cluster.cell.SuperpeerSearch;
import io.teff.cluster.config.Address;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The network of a node, according to the node's configuration. */
final class NodeNetwork {
    private NodeNetwork() {}

    /** Returns a configuration with a listening address. */
    static NetworkConfig of(NodeConfig config, ClusterId cluster, int nid, int handlerThreads,
                            IntFunction<@Nullable String> addresses, NetworkListener listener) {
        NetworkConfig.Builder builder = NetworkConfig.builder(nid).listen(config.listen().link())
            .cluster(cluster).addresses(addresses).secret(config.secret())
            .handlerThreads(handlerThreads).listener(listener);
        return config.cellTls().on(builder).build();
    }

    /** Returns the listener of a node. */
    static NetworkListener listener(NodeLog log, Consumer<ClusterId> identified) {
        return new Reporter(log, identified);
    }

    /**
     * Returns a search for all superpeers of a node's cluster.
     *
     * @param seen the superpeers that the node has seen last
     */
    static SuperpeerSearch search(NodeConfig config, ClusterId cluster, SuperpeerSet seen, Platform platform) {
        List<String> known = Stream.concat(config.superpeers().stream().map(Address::link),
            seen.rows().stream().map(SuperpeerRow::address)).filter(address -> !address.isEmpty()).distinct().toList();
        return new SuperpeerSearch(known, nid -> config.cellTls().on(NetworkConfig.builder(nid)
            .secret(config.secret()).cluster(cluster.isKnown() ? cluster
                : ClusterId.expected(config.cluster()))), platform.chance(), platform.clock());
    }

    /** Writes the reports of the network to the node's log, and passes the identity of the cluster on. */
    private record Reporter(NodeLog log, Consumer<ClusterId> learned) implements NetworkListener {
        @Override
        public void identified(ClusterId cluster) {
            learned.accept(cluster);
        }

        @Override
        public void lost(int nid, long messages, String why) {
            if (messages > 0) {                                 // the ordered end of a client is no event
                log.log(NodeEvent.SESSION_LOST, nid + NodeLog.words(why), "the session with node " + nid
                    + " has ended, perhaps with " + messages + " messages: " + why);
            }
        }

        @Override
        public void refused(int nid, String peer, String why) {
            log.refused(peer, why);
        }

        /** Clients, and nodes that join, find the number of a superpeer by dialing all numbers. */
        @Override
        public void misdialed(int nid, String peer, String why) {
            if (!ClientNid.isDrawn(nid)) {
                log.refused(peer, why);
            }
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            String why = FailureText.of(thrown);
            log.log(NodeEvent.FAULT, NodeLog.words(why), "a request of node " + nid + " has failed here: " + why);
        }
    }
}
