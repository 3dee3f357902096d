package io.teff.cluster.config;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context of TLS for networks whose key and certificates are replaced: each connection begins with the current
 * context. Each context has separate sessions, so a connection with new certificates continues no session with old
 * certificates. Thread-safe.
 */
final class CurrentContext extends SSLContext {
    private CurrentContext(SSLContext first, Supplier<SSLContext> current) {
        super(new Delegate(current), first.getProvider(), first.getProtocol());
    }

    /** Makes a context; each connection asks the supplier for the current context. */
    static SSLContext of(Supplier<SSLContext> current) {
        return new CurrentContext(current.get(), current);
    }

    /** Passes each call on. */
    private static final class Delegate extends SSLContextSpi {
        private final Supplier<SSLContext> current;

        Delegate(Supplier<SSLContext> current) {
            this.current = current;
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom chance)
                throws KeyManagementException {
            throw new KeyManagementException("this context has its keys from files");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return current.get().getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return current.get().getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return current.get().createSSLEngine();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return current.get().createSSLEngine(host, port);
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return current.get().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return current.get().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return current.get().getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return current.get().getSupportedSSLParameters();
        }
    }
}
