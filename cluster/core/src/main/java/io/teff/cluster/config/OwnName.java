package io.teff.cluster.config;

import io.teff.cluster.net.config.CertificateName;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * The rule for the name of superpeers in a node's own certificate: the certificate of a superpeer has the name, the
 * certificate of any other node has not.
 *
 * @param superpeers the name; null for no rule
 * @param isSuperpeer whether the node is a superpeer
 */
public record OwnName(@Nullable CertificateName superpeers, boolean isSuperpeer) {
    /** No rule. */
    public static final OwnName NONE = new OwnName(null, false);

    /**
     * Compares the node's own certificate.
     *
     * @param own certificate of the node
     * @return the fault of the certificate, for people; null for none
     */
    public @Nullable String fault(X509Certificate own) {
        if (superpeers == null || superpeers.isIn(own) == isSuperpeer) {
            return null;
        }
        String subject = "the certificate of " + own.getSubjectX500Principal();
        return isSuperpeer
            ? subject + ", which lacks the name " + superpeers.text() + ": no other node would take this node for a"
                + " superpeer"
            : subject + ", which has the name " + superpeers.text() + " of superpeers: this node is none";
    }
}
