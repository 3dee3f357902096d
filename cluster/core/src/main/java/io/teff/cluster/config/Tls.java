package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import java.io.IOException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A node's key and certificates for TLS, or none. New files in the same places are taken for new connections within
 * some ten seconds. The text of this object does not show keys or certificates. Thread-safe.
 */
public final class Tls {
    /** No TLS: connections are not encrypted. */
    public static final Tls NONE = new Tls(null);

    private final @Nullable TlsSource source;
    private final @Nullable SSLContext context;

    private Tls(@Nullable TlsSource source) {
        this.source = source;
        context = source == null ? null : contextOf(source);
    }

    private static SSLContext contextOf(TlsSource source) {
        return CurrentContext.of(() -> source.material().context());
    }

    /**
     * Reads the files of a client, with the clock of the system.
     *
     * @param places the files
     * @return key and certificates
     * @throws IOException as {@link #read(TlsPlaces, Clock)}
     */
    public static Tls read(TlsPlaces places) throws IOException {
        return read(places, Clock.SYSTEM);
    }

    /**
     * Reads the files of a node or client. All are in PEM form.
     *
     * @param places the files
     * @param clock measures the time between looks at the files, and the time of certificates
     * @return key and certificates
     * @throws IOException if a file cannot be read, the files do not belong together, or the certificate is not valid
     *     now; the reason of a {@link java.nio.file.FileSystemException} names the fault
     */
    public static Tls read(TlsPlaces places, Clock clock) throws IOException {
        String versions = places.versions();
        return new Tls(new TlsSource(places, versions, TlsMaterial.read(places, OwnName.NONE, clock), OwnName.NONE,
            clock));
    }

    /**
     * Uses the contents of files that are read and checked.
     *
     * @param places the files
     * @param key private key of this node
     * @param chain certificate of the key, followed by the certificates up to an authority
     * @param authorities trusted authorities
     * @param own rule for names in the node's certificate, also in new files
     * @param clock measures the time between looks at the files, and the time of certificates
     * @return key and certificates
     * @throws IOException if key and certificates cannot be used for TLS
     */
    public static Tls of(TlsPlaces places, PrivateKey key, List<X509Certificate> chain,
                         List<X509Certificate> authorities, OwnName own, Clock clock) throws IOException {
        return new Tls(new TlsSource(places, places.versions(),
            TlsMaterial.of(places, key, chain, authorities, clock), own, clock));
    }

    /** {@return the context, which begins each connection with the current key and certificates; null for none} */
    public @Nullable SSLContext context() {
        return context;
    }

    /** {@return the ends of all certificates in use; empty without TLS} */
    public List<CertificateEnd> ends() {
        return source == null ? List.of() : source.material().ends();
    }

    /** {@return why new files are not used; null if the files are in use} */
    public @Nullable String fault() {
        return source == null ? null : source.fault();
    }

    /** {@return sentences on certificates that end within 30 days or have ended, and on new files that are not used} */
    public List<String> problems() {
        if (source == null) {
            return List.of();
        }
        Instant now = source.now();
        List<String> problems = new ArrayList<>();
        for (CertificateEnd end : ends()) {
            String text = end.text(now);
            if (text != null) {
                problems.add(text);
            }
        }
        String fault = fault();
        if (fault != null) {
            problems.add(fault);
        }
        return problems;
    }

    /** {@return whether there is no TLS} */
    public boolean isNone() {
        return source == null;
    }

    /** {@return whether there is TLS, without keys} */
    @Override
    public String toString() {
        return isNone() ? "no TLS" : "TLS";
    }
}
