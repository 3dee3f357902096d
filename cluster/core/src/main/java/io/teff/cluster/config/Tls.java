package io.teff.cluster.config;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A node's key and certificates for TLS, or none. The text of this object does not show keys or certificates.
 * Immutable.
 */
public final class Tls {
    /** No TLS: connections are not encrypted. */
    public static final Tls NONE = new Tls(null);

    private final @Nullable SSLContext context;

    private Tls(@Nullable SSLContext context) {
        this.context = context;
    }

    /**
     * Reads the files of a node or client. All are in PEM form.
     *
     * @param key has the private key: PKCS#8, without a password, EC, RSA or EdDSA
     * @param certificate has the certificate of this key, followed by the certificates up to an authority
     * @param authority has the certificates of the authorities trusted by this node; the certificates of all other
     *     nodes must come from these authorities
     * @return the context
     * @throws IOException if a file cannot be read, or the files do not belong together; the reason of a
     *     {@link java.nio.file.FileSystemException} names the fault
     */
    public static Tls read(Path key, Path certificate, Path authority) throws IOException {
        PrivateKey own = TlsFiles.key(key);
        List<X509Certificate> chain = TlsFiles.certificates(certificate);
        TlsFiles.checkOwner(certificate, chain.getFirst(), own, key.toString());
        return of(own, chain, TlsFiles.certificates(authority));
    }

    /**
     * Makes the context.
     *
     * @param key private key of this node
     * @param chain certificate of the key, followed by the certificates up to an authority
     * @param authorities trusted authorities
     * @return the context
     * @throws IOException if key and certificates cannot be used for TLS
     */
    public static Tls of(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities)
            throws IOException {
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("node", key, new char[0], chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
            keyManagers.init(keys, new char[0]);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (X509Certificate authority : authorities) {
                trusted.setCertificateEntry("authority-" + trusted.size(), authority);
            }
            TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
            trustManagers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
            return new Tls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("key and certificates cannot be used for TLS", e);
        }
    }

    /** {@return the context; null for none} */
    public @Nullable SSLContext context() {
        return context;
    }

    /** {@return whether there is no TLS} */
    public boolean isNone() {
        return context == null;
    }

    /** {@return whether there is TLS, without keys} */
    @Override
    public String toString() {
        return isNone() ? "no TLS" : "TLS";
    }
}
