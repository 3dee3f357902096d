package io.teff.cluster.peer;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.net.config.CertificateName;
import io.teff.engine.error.StoreClosedException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The client of a peer for its jobs and applications, connected at the first use. Thread-safe. */
final class OwnClient implements Supplier<ClusterStore>, AutoCloseable {
    private final PeerConfig config;
    private @Nullable ClusterStore store;
    private boolean isClosed;

    OwnClient(PeerConfig config) {
        this.config = config;
    }

    @Override
    public synchronized ClusterStore get() {
        if (isClosed) {
            throw new StoreClosedException("of this node");
        }
        final ClusterStore known = store;
        if (known != null) {
            return known;
        }
        final ClusterStore connected = ClusterStore.connect(client());
        store = connected;
        return connected;
    }

    private ClientConfig client() {
        final ClientConfig.Builder builder = ClientConfig.builder(config.superpeers().configured()
            .toArray(String[]::new)).secret(config.secret());
        final Supplier<byte[]> secrets = config.tls().secrets();
        if (secrets != null) {
            builder.secrets(secrets);
        }
        final SSLContext tls = config.tls().context();
        final CertificateName name = config.tls().superpeers();
        if (tls != null) {
            builder.tls(tls);
        }
        if (name != null) {
            builder.superpeerName(name.text());
        }
        if (!config.cluster().isEmpty()) {
            builder.cluster(config.cluster());
        }
        return builder.build();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (store != null) {
            store.close();
        }
    }
}
