package io.teff.test.bench.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and its certificate, made by the JDK's tool, which trusts only itself. */
final class BenchKey {
    private static final String PASSWORD = "of a bench";

    private BenchKey() {}

    /** {@return the context that both ends of a link present and trust} */
    static SSLContext make() throws IOException {
        Path folder = Files.createTempDirectory("teff-bench");
        Path file = folder.resolve("key.p12");
        try {
            keytool(file);
            KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
            own.init(store, PASSWORD.toCharArray());
            TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
            others.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), others.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the key of a bench", e);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void keytool(Path file) throws IOException {
        Process tool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair", "-alias", "node", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=node",
            "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD)
            .redirectErrorStream(true).start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tool.onExit().join().exitValue() != 0) {
            throw new IOException("keytool: " + said);
        }
    }
}
