package io.teff.test.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * A key and its certificate in PEM files, made by the JDK's keytool.
 *
 * @param key the file with the key
 * @param certificate the file with the certificate
 */
public record PemFiles(Path key, Path certificate) {
    private static final char[] PASSWORD = "of a test".toCharArray();
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    /**
     * Makes the files.
     *
     * @param folder where
     * @param name begin of the names of the files
     * @param keytool further words for keytool, such as -keyalg EC
     * @return the files
     */
    public static PemFiles make(Path folder, String name, String... keytool) throws Exception {
        String[] words = Stream.concat(Stream.of("-alias", "node", "-dname", "CN=" + name), Stream.of(keytool))
            .toArray(String[]::new);
        return of(keytool(folder.resolve(name + ".p12"), words), "node", folder, name);
    }

    /** Adds a key to a file of keys. */
    static KeyStore keytool(Path keys, String... more) throws Exception {
        String[] words = Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-storetype", "PKCS12", "-keystore",
            keys.toString(), "-storepass", new String(PASSWORD)), Stream.of(more)).toArray(String[]::new);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        return KeyStore.getInstance(keys.toFile(), PASSWORD);
    }

    /** Writes the files of a key. */
    static PemFiles of(KeyStore store, String alias, Path folder, String name) throws Exception {
        Key key = store.getKey(alias, PASSWORD);
        Path keyFile = write(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded());
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        Certificate[] chain = store.getCertificateChain(alias);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.max(1, chain.length - 1); i++) {   // the last one is that of the authority
            text.append(pem("CERTIFICATE", chain[i].getEncoded()));
        }
        return new PemFiles(keyFile, Files.writeString(folder.resolve(name + ".crt"), text));
    }

    static Path write(Path file, String kind, byte[] bytes) throws IOException {
        return Files.writeString(file, pem(kind, bytes));
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + kind + "-----\n";
    }
}
