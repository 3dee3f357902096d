package io.teff.nio;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A key and its certificate, created by the JDK's keytool. */
final class TlsKeys {
    private static final String PASSWORD = "of a test";
    private static final String ALIAS = "node";

    private final KeyStore store;

    private TlsKeys(KeyStore store) {
        this.store = store;
    }

    /** Creates a key and its certificate, with further words for the tool. */
    static TlsKeys make(String... more) {
        try {
            final Path folder = Files.createTempDirectory("teff-keys");
            final Path file = folder.resolve("keys.p12");
            final Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            final List<String> command = new ArrayList<>(List.of(keytool.toString(), "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC", "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1",
                "-dname", "CN=node", "-validity", "2", "-storetype", "PKCS12", "-keystore",
                file.toString(), "-storepass", PASSWORD));
            command.addAll(List.of(more));
            final Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
            final String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            final KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            Files.delete(file);
            Files.delete(folder);
            return new TlsKeys(store);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns a context that presents this certificate and trusts others. */
    SSLContext trusting(TlsKeys... others) {
        try {
            final KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
            own.init(store, PASSWORD.toCharArray());
            return context(own.getKeyManagers(), others);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a context that presents this certificate, and whose trust manager throws an exception or error. */
    SSLContext throwing(boolean isError) {
        try {
            final KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
            own.init(store, PASSWORD.toCharArray());
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), new TrustManager[] {new Thrower(isError)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A trust manager that throws. */
    private static final class Thrower extends X509ExtendedTrustManager {
        private final boolean isError;

        Thrower(boolean isError) {
            this.isError = isError;
        }

        private void fail() {
            if (isError) {
                throw new StackOverflowError("planned");
            }
            throw new IllegalStateException("planned");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            fail();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            fail();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            fail();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            fail();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            fail();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            fail();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Returns a context that presents no certificate and trusts another one. */
    static SSLContext without(TlsKeys other) {
        try {
            return context(new KeyManager[0], other);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SSLContext context(KeyManager[] managers, TlsKeys... trustees) throws GeneralSecurityException {
        try {
            final KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (TlsKeys each : trustees) {
                trusted.setCertificateEntry(ALIAS + trusted.size(), each.store.getCertificate(ALIAS));
            }
            final TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
            others.init(trusted);
            final SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers, others.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
