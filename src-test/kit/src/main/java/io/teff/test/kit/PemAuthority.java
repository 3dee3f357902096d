package io.teff.test.kit;

import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** An authority that signs certificates of tests, made by the JDK's keytool. */
public final class PemAuthority {
    private static final String[] EC = {"-keyalg", "EC", "-groupname", "secp256r1"};
    private static final String ALIAS = "authority";

    private final Path folder;
    private final Path keys;
    private final Path certificate;

    private PemAuthority(Path folder, Path keys, Path certificate) {
        this.folder = folder;
        this.keys = keys;
        this.certificate = certificate;
    }

    /** Makes an authority with a name and files in a folder. */
    public static PemAuthority make(Path folder, String name) throws Exception {
        Path keys = folder.resolve(name + ".p12");
        List<String> words = new ArrayList<>(List.of("-alias", ALIAS, "-dname", "CN=" + name, "-ext", "bc:c"));
        words.addAll(List.of(EC));
        KeyStore store = PemFiles.keytool(keys, words.toArray(String[]::new));
        return new PemAuthority(folder, keys, PemFiles.write(folder.resolve(name + ".crt"), "CERTIFICATE",
            store.getCertificate(ALIAS).getEncoded()));
    }

    /** Returns the file with the certificate of the authority. */
    public Path certificate() {
        return certificate;
    }

    /**
     * Signs the certificate of a new key.
     *
     * @param name of the certificate, and begin of the names of the files
     * @param keytool further words for keytool, such as -ext san=uri:teff:superpeer
     * @return the files
     */
    public PemFiles sign(String name, String... keytool) throws Exception {
        return signBy(ALIAS, name, keytool);
    }

    /** Signs like {@link #sign} by the key of a certificate that this authority has signed, and may be no authority. */
    public PemFiles signBy(String signer, String name, String... keytool) throws Exception {
        String[] words = Stream.concat(Stream.of("-alias", name, "-dname", "CN=" + name, "-signer", signer),
            Stream.concat(Stream.of(EC), Stream.of(keytool))).toArray(String[]::new);
        return PemFiles.of(PemFiles.keytool(keys, words), name, folder, name);
    }
}
