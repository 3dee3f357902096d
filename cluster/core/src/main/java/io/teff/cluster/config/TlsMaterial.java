package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Key and certificates, read at one moment, as a context of TLS. Immutable.
 *
 * @param context context with the private key and the trusted authorities
 * @param ends ends of all certificates; the certificates of the node come first
 */
record TlsMaterial(SSLContext context, List<CertificateEnd> ends) {
    /**
     * Reads and checks the files: key and certificate belong together, the certificate is valid now, and keeps the rule
     * for names.
     */
    static TlsMaterial read(TlsPlaces places, OwnName own, Clock clock) throws IOException {
        PrivateKey key = TlsFiles.key(places.key());
        List<X509Certificate> chain = TlsFiles.certificates(places.certificate());
        TlsFiles.checkTime(places.certificate(), chain.getFirst(), new Date(clock.epochMs()));
        TlsFiles.checkOwner(places.certificate(), chain.getFirst(), key, places.key().toString());
        String fault = own.fault(chain.getFirst());
        if (fault != null) {
            throw new FileSystemException(places.certificate().toString(), null, "has " + fault);
        }
        return of(places, key, chain, TlsFiles.certificates(places.authority()), clock);
    }

    static TlsMaterial of(TlsPlaces places, PrivateKey key, List<X509Certificate> chain,
                          List<X509Certificate> authorities, Clock clock) throws IOException {
        List<CertificateEnd> ends = Stream.concat(chain.stream().map(each -> end(places.certificate(), each)),
            authorities.stream().filter(each -> !chain.contains(each)).map(each -> end(places.authority(), each)))
            .distinct().toList();
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry("node", key, new char[0], chain.toArray(X509Certificate[]::new));
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
            keyManagers.init(own, new char[0]);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (X509Certificate authority : authorities) {
                trusted.setCertificateEntry("authority-" + trusted.size(), authority);
            }
            TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
            trustManagers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), Arrays.stream(trustManagers.getTrustManagers())
                .map(each -> each instanceof X509ExtendedTrustManager trust ? new NamedTrust(trust, clock) : each)
                .toArray(TrustManager[]::new), null);
            return new TlsMaterial(context, ends);
        } catch (GeneralSecurityException e) {
            throw new IOException("key and certificates cannot be used for TLS", e);
        }
    }

    private static CertificateEnd end(Path file, X509Certificate certificate) {
        return new CertificateEnd(certificate.getSubjectX500Principal().toString(), file,
            certificate.getNotAfter().toInstant());
    }
}
