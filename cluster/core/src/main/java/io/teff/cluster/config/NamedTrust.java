package io.teff.cluster.config;

import io.teff.engine.os.Clock;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Date;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A manager of trusted authorities. Refusals name an expired certificate and its end; refusals of the JDK do not name
 * the certificate. Thread-safe.
 */
final class NamedTrust extends X509ExtendedTrustManager {
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
            throw e;
        }
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
