package io.teff.test.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
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
        Path keys = folder.resolve(name + ".p12");
        String[] words = Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", "node", "-dname", "CN=" + name,
            "-storetype", "PKCS12", "-keystore", keys.toString(), "-storepass", new String(PASSWORD)),
            Stream.of(keytool)).toArray(String[]::new);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD);
        Key key = store.getKey("node", PASSWORD);
        Path keyFile = write(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded());
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        return new PemFiles(keyFile, write(folder.resolve(name + ".crt"), "CERTIFICATE",
            store.getCertificate("node").getEncoded()));
    }

    private static Path write(Path file, String kind, byte[] bytes) throws IOException {
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + LINES.encodeToString(bytes) + "\n-----END "
            + kind + "-----\n");
    }
}
