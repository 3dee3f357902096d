package io.teff.test.nio.programs;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The HTTP client of the JDK: its {@code SSLEngine} is above a channel of {@code java.nio}. */
final class JdkTlsClient {
    private static final int LARGE = 200_000;

    private JdkTlsClient() {}

    public static void main(String[] arguments) throws Exception {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(Path.of(arguments[2]))) {
            trusted.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        final TrustManagerFactory managers = TrustManagerFactory.getInstance(
            TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        final SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, managers.getTrustManagers(), null);
        final long beginNs = System.nanoTime();
        long count = 0;
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build()) {
            do {
                final String body = "request " + count + " " + "y".repeat(count % 10 == 0 ? LARGE : (int) count % 900);
                final HttpRequest request = HttpRequest.newBuilder(
                    URI.create("https://127.0.0.1:" + arguments[0] + "/echo"))
                    .POST(HttpRequest.BodyPublishers.ofString(body)).build();
                if (!client.send(request, HttpResponse.BodyHandlers.ofString()).body().equals(body)) {
                    throw new IllegalStateException("request " + count);
                }
                count++;
            } while (!Told.isOver(beginNs, Integer.parseInt(arguments[1])));
        }
        Told.counts();
        Told.line(Told.DONE, count);
    }
}
