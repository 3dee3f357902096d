package io.teff.cluster.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * The PEM files of a node or client.
 *
 * @param key has the private key: PKCS#8, without a password, EC, RSA or EdDSA
 * @param certificate has the certificate of this key, followed by the certificates up to an authority
 * @param authority has the certificates of the trusted authorities
 */
public record TlsPlaces(Path key, Path certificate, Path authority) {
    /** Returns a text that changes with each replacement of a file, also behind symbolic links. */
    String versions() {
        StringBuilder text = new StringBuilder();
        for (Path file : List.of(key, certificate, authority)) {
            try {
                BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
                text.append(found.lastModifiedTime()).append(' ').append(found.size()).append(' ')
                    .append(found.fileKey()).append('\n');
            } catch (IOException _) {
                text.append("missing\n");
            }
        }
        return text.toString();
    }
}
