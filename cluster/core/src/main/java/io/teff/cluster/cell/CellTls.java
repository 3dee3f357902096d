package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.config.NetworkConfig;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a network in a cell. With a name of superpeers the network takes a node for a superpeer only if the
 * certificate of the node has the name. Immutable.
 *
 * @param context key, certificate and authorities; null for no TLS
 * @param superpeers name in the certificates of superpeers alone; null if any certificate is enough
 */
public record CellTls(@Nullable SSLContext context, @Nullable CertificateName superpeers) {
    /** No TLS. */
    public static final CellTls NONE = new CellTls(null, null);

    /**
     * Returns TLS with a name that may be missing.
     *
     * @param context key, certificate and authorities; null for no TLS
     * @param superpeerName name of superpeers; empty for none
     * @return TLS of a network
     */
    public static CellTls of(@Nullable SSLContext context, String superpeerName) {
        return new CellTls(context, superpeerName.isEmpty() ? null : new CertificateName(superpeerName));
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
        return context == null ? network : network.tls(context);
    }
}
