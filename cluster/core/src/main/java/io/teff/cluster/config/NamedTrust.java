package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Date;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/**
 * A manager of trusted authorities. Refusals name the certificate, and the end of an expired certificate; refusals of
 * the JDK do not name the certificate. Names of strangers are cut, and have no signs for a terminal. Thread-safe.
 */
final class NamedTrust extends X509ExtendedTrustManager {
    private static final int CHARS_MAX = 100;

    private final X509ExtendedTrustManager trust;
    private final Clock clock;

    NamedTrust(X509ExtendedTrustManager trust, Clock clock) {
        this.trust = trust;
        this.clock = clock;
    }

    /** A check of the JDK. */
    private interface Check {
        void run() throws CertificateException;
    }

    private void check(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            Date now = new Date(clock.epochMs());
            for (X509Certificate each : chain) {
                String fault = TlsFiles.timeFault(each, now);
                if (fault != null) {
                    throw new CertificateException("the other side has " + fault, e);
                }
            }
            throw new CertificateException("the other side has the certificate of "
                + named(chain[0].getSubjectX500Principal()) + ", issued by " + named(chain[0].getIssuerX500Principal())
                + ", which this node does not trust: " + FailureText.of(e), e);
        }
    }

    private static String named(X500Principal name) {
        String text = name.getName().replaceAll("[^ -~]", "?");
        return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...";
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, () -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
