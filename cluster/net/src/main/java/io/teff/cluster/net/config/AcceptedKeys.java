package io.teff.cluster.net.config;

import io.teff.cluster.net.message.Caller;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The secrets that a node accepts from dialers, and what a dialer may do by its secret and certificate. */
@FunctionalInterface
public interface AcceptedKeys {
    /**
     * An accepted secret.
     *
     * @param secret bytes of the secret
     * @param caller what the dialer may do; null for a node of the cluster
     */
    record Key(byte[] secret, @Nullable Caller caller) {}

    /**
     * Returns the accepted secrets. Called for each proof, by agents: must be short, must not wait or throw.
     *
     * @param certificate of the dialer; null without TLS
     * @return the secrets, in the order of their trial
     */
    List<Key> keys(@Nullable X509Certificate certificate);
}
