package io.teff.cluster.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads files in PEM form. The reason of each {@link FileSystemException} names the fault of a file, for people. */
public final class TlsFiles {
    private static final int BYTES_MAX = 1 << 20;
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    /** The curves with which TLS 1.3 signs (RFC 8446, 4.2.3); secp256r1 is also called prime256v1, or P-256. */
    private static final List<String> CURVES = List.of("secp256r1", "secp384r1", "secp521r1");
    private static final Pattern KEY = Pattern.compile(
        "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----");
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    /** Byte order marks, as characters of one byte. */
    private static final String LITTLE_UTF_16 = "\u00ff\u00fe";
    private static final String BIG_UTF_16 = "\u00fe\u00ff";
    private static final byte[] PROBE = "teff".getBytes(StandardCharsets.US_ASCII);

    private TlsFiles() {}

    private static String text(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new FileSystemException(file.toString(), null, "has more than " + BYTES_MAX + " bytes");
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (text.startsWith(LITTLE_UTF_16) || text.startsWith(BIG_UTF_16)) {
            throw new FileSystemException(file.toString(), null,
                "is text in the encoding UTF-16: save the file in UTF-8");
        }
        return text;
    }

    /**
     * Reads a private key.
     *
     * @param file PEM file with the key: PKCS#8, without a password, unreadable by other users
     * @return the key
     * @throws IOException if the file cannot be read or used; the reason of a {@link FileSystemException} names the
     *     fault
     */
    public static PrivateKey key(Path file) throws IOException {
        String text = text(file);
        Matcher found = KEY.matcher(text);
        if (!found.find()) {
            Matcher other = OTHER_KEY.matcher(text);
            throw new FileSystemException(file.toString(), null, !other.find() ? "has no private key in PEM form"
                : other.group(1).startsWith("ENCRYPTED") ? "has a key with a password, which a node cannot ask for: "
                    + "openssl pkcs8 -topk8 -nocrypt -in FILE"
                : "has a key of another form: openssl pkcs8 -topk8 -nocrypt -in FILE");
        }
        PrivateFile.check(file);
        try {
            PrivateKey key = key(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1))));
            ECKey other = ofOtherCurve(key);
            if (other != null) {
                throw new FileSystemException(file.toString(), null, "has a key" + ofCurve(other));
            }
            return key;
        } catch (IllegalArgumentException | GeneralSecurityException _) {
            throw new FileSystemException(file.toString(), null,
                "has a damaged key, or one that is neither EC with a named curve, RSA nor EdDSA");
        }
    }

    /** Returns the key if it is of a curve that TLS lacks; else null. */
    private static @Nullable ECKey ofOtherCurve(Key key) throws GeneralSecurityException {
        return key instanceof ECKey curve && !isOfTls(curve.getParams()) ? curve : null;
    }

    private static String ofCurve(ECKey key) {
        return " of the curve " + key.getParams() + ", which TLS of this JDK lacks; curves of TLS: "
            + String.join(", ", CURVES);
    }

    /** Returns whether a curve is one of TLS 1.3. The JDK also reads keys of other curves, and cannot use them. */
    private static boolean isOfTls(ECParameterSpec found) throws GeneralSecurityException {
        for (String name : CURVES) {
            AlgorithmParameters known = AlgorithmParameters.getInstance("EC");
            known.init(new ECGenParameterSpec(name));
            if (known.getParameterSpec(ECParameterSpec.class).getCurve().equals(found.getCurve())) {
                return true;
            }
        }
        return false;
    }

    private static PrivateKey key(PKCS8EncodedKeySpec bytes) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(bytes);
            } catch (InvalidKeySpecException _) {
                continue;                                       // the key is of another algorithm
            }
        }
        throw new InvalidKeySpecException("none of " + ALGORITHMS);
    }

    /**
     * Reads certificates.
     *
     * @param file PEM file with the certificates
     * @return the certificates, at least one
     * @throws IOException if the file cannot be read or used; the reason of a {@link FileSystemException} names the
     *     fault
     */
    public static List<X509Certificate> certificates(Path file) throws IOException {
        String text = text(file);
        if (!text.contains(CERTIFICATE)) {
            throw new FileSystemException(file.toString(), null, "has no certificate in PEM form");
        }
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            byte[] bytes = text.substring(text.indexOf(CERTIFICATE)).getBytes(StandardCharsets.ISO_8859_1);
            factory.generateCertificates(new ByteArrayInputStream(bytes))
                .forEach(each -> certificates.add((X509Certificate) each));
            checkCurves(file, certificates);
        } catch (GeneralSecurityException _) {
            throw new FileSystemException(file.toString(), null, "has a damaged certificate");
        }
        return certificates;
    }

    /** Refuses a file of which TLS can use no certificate, because of their curves. */
    private static void checkCurves(Path file, List<X509Certificate> certificates)
        throws FileSystemException, GeneralSecurityException {
        ECKey other = null;
        for (X509Certificate certificate : certificates) {
            other = ofOtherCurve(certificate.getPublicKey());
            if (other == null) {
                return;
            }
        }
        if (other != null) {
            throw new FileSystemException(file.toString(), null,
                "has only certificates that TLS cannot use; the last is" + ofCurve(other));
        }
    }

    /**
     * Checks that a certificate is valid at a given time.
     *
     * @param file file of the certificate, for the message
     * @param certificate to be valid
     * @param now the given time
     * @throws IOException if the certificate is not valid; the reason of a {@link FileSystemException} names the fault
     */
    public static void checkTime(Path file, X509Certificate certificate, Date now) throws IOException {
        String fault = timeFault(certificate, now);
        if (fault != null) {
            throw new FileSystemException(file.toString(), null, "has " + fault);
        }
    }

    /** Returns a certificate that is not valid at a time, with name and date; null for a valid certificate. */
    static @Nullable String timeFault(X509Certificate certificate, Date now) {
        String named = "the certificate of " + certificate.getSubjectX500Principal() + ", which ";
        try {
            certificate.checkValidity(now);
            return null;
        } catch (CertificateExpiredException _) {
            return named + "was valid until " + certificate.getNotAfter().toInstant();
        } catch (CertificateNotYetValidException _) {
            return named + "is not valid before " + certificate.getNotBefore().toInstant();
        }
    }

    /**
     * Checks that a certificate belongs to a key.
     *
     * @param file file of the certificate, for the message
     * @param certificate with the public key
     * @param key the private key
     * @param keyName names the source of the private key, for the message
     * @throws IOException if certificate and key do not belong together; the reason of a {@link FileSystemException}
     *     names the fault
     */
    public static void checkOwner(Path file, X509Certificate certificate, PrivateKey key, String keyName)
            throws IOException {
        if (!belong(key, certificate)) {
            throw new FileSystemException(file.toString(), null, "has the certificate of "
                + certificate.getSubjectX500Principal() + ", which is not that of the key in " + keyName);
        }
    }

    /** Returns whether a key belongs to a certificate: the certificate verifies a signature of the key. */
    private static boolean belong(PrivateKey key, X509Certificate certificate) {
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;                                       // the certificate's key is of another algorithm
        }
    }
}
