package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.config.AcceptedKeys;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.config.NetworkConfig;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a network in a cell. With a name of superpeers the network takes a node for a superpeer only if the
 * certificate of the node has the name. Immutable.
 *
 * @param context key, certificate and authorities; null for no TLS
 * @param superpeers name in the certificates of superpeers alone; null if any certificate is enough
 * @param secrets returns the present secret; null if the secret is set elsewhere
 * @param admission the accepted secrets; null if the secret alone is accepted
 */
public record CellTls(@Nullable SSLContext context, @Nullable CertificateName superpeers,
                      @Nullable Supplier<byte[]> secrets, @Nullable AcceptedKeys admission) {
    /** No TLS. */
    public static final CellTls NONE = new CellTls(null, null, null, null);

    /**
     * Returns TLS with a name that may be missing.
     *
     * @param context key, certificate and authorities; null for no TLS
     * @param superpeerName name of superpeers; empty for none
     * @return TLS of a network
     */
    public static CellTls of(@Nullable SSLContext context, String superpeerName) {
        return new CellTls(context, superpeerName.isEmpty() ? null : new CertificateName(superpeerName), null, null);
    }

    /**
     * Returns this TLS with a secret that may change.
     *
     * @param source returns the present secret
     * @param accepted the accepted secrets
     * @return TLS and secrets of a network
     */
    public CellTls with(Supplier<byte[]> source, AcceptedKeys accepted) {
        return new CellTls(context, superpeers, source, accepted);
    }

    /**
     * Sets TLS of a network.
     *
     * @param network configuration of the network
     * @return the configuration
     */
    public NetworkConfig.Builder on(NetworkConfig.Builder network) {
        if (superpeers != null) {
            network.certificateNames(nid -> CellMessages.isSuperpeer(nid) ? superpeers : null);
        }
        if (secrets != null) {
            network.secrets(secrets);
        }
        if (admission != null) {
            network.admission(admission);
        }
        return context == null ? network : network.tls(context);
    }
}
