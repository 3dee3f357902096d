package io.teff.cluster.control;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.CertificateEnd;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.node.Node;
import io.teff.cluster.node.NodeConfig;
import io.teff.cluster.node.NodeDisks;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node, with the whole configuration behind the public part.
 *
 * @param config the whole configuration
 * @param platform clock and threads of connections, logs and watches
 */
record CheckedSettings(NodeConfig config, Platform platform) implements NodeSettings {
    /** Returns the whole configuration behind settings. */
    static NodeConfig config(NodeSettings settings) {
        if (settings instanceof CheckedSettings checked) {
            return checked.config();
        }
        throw new IllegalArgumentException("settings of " + settings.getClass() + ", not made by NodeSettings.of");
    }

    @Override
    public NodeRole role() {
        return config.role();
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public Path folder() {
        return config.folder();
    }

    @Override
    public Path log() {
        return config.log();
    }

    @Override
    public String listen() {
        return config.listen().link();
    }

    @Override
    public List<String> superpeers() {
        return config.superpeers().stream().map(Address::link).toList();
    }

    @Override
    public int number() {
        return config.superpeer().number();
    }

    @Override
    public int backups() {
        return config.superpeer().backups();
    }

    @Override
    public @Nullable Instant certificateEnd() {
        return config.tls().ends().stream().map(CertificateEnd::end).min(Comparator.naturalOrder()).orElse(null);
    }

    @Override
    public @Nullable URI console() {
        return config.console().address();
    }

    @Override
    public byte @Nullable [] consoleToken() {
        return config.console().token().isNone() ? null : config.console().token().bytes();
    }

    @Override
    public boolean hasRoles() {
        return config.access().hasRoles();
    }

    @Override
    public @Nullable String operator(byte[] token) {
        return config.access().operator(token);
    }

    @Override
    public ClientConfig client() {
        ClientConfig.Builder client = ClientConfig.builder(superpeers().toArray(String[]::new))
            .secrets(config::secret).superpeerName(config.superpeerName());
        SSLContext tls = config.tls().context();
        return (tls == null ? client : client.tls(tls)).build();
    }

    @Override
    public ClusterAdmin connect() throws IOException {
        return new LinkedAdmin(CellLink.open(client(), platform), platform.clock(), platform.threads());
    }

    @Override
    public ClusterNode start(System.Logger logger) throws NodeStartException {
        NodeLog log = new NodeLog(logger, platform.clock());
        Node node = Node.begin(config, log);
        return new StartedNode(this, node, log, CertificateWatch.start(config.tls(), log, platform.clock(),
            platform.threads()));
    }

    @Override
    public boolean hasMetadata() {
        return NodeDisks.metadata(config) == NodeDisks.Metadata.WHOLE;
    }

    @Override
    public boolean hasLog() throws IOException {
        return NodeDisks.hasLog(config);
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
