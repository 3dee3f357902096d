package io.teff.cluster.net.config;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A name in certificates: a subject alternative name (RFC 5280, 4.2.1.6). Names with a colon are URIs, all other names
 * are DNS names. URIs are compared letter by letter, DNS names without regard to case; a wildcard is no pattern.
 *
 * @param text the name
 */
public record CertificateName(String text) {
    private static final int CHARS_MAX = 255;
    private static final Pattern DNS = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?"
        + "(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*");
    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:[\\x21-\\x7E]+");
    private static final int KIND_DNS = 2;
    private static final int KIND_URI = 6;

    /** Checks the text. */
    public CertificateName {
        if (!isName(text)) {
            throw new IllegalArgumentException("\"" + text + "\" is no DNS name and no URI of at most " + CHARS_MAX
                + " characters");
        }
    }

    /**
     * {@return whether a text can be a name}
     *
     * @param text any text
     */
    public static boolean isName(String text) {
        return text.length() <= CHARS_MAX && (DNS.matcher(text).matches() || URI.matcher(text).matches());
    }

    /**
     * {@return whether a certificate has the name}
     *
     * @param certificate of the other end of a link
     */
    public boolean isIn(X509Certificate certificate) {
        final Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException _) {
            return false;                                       // names that cannot be read prove nothing
        }
        return names != null && names.stream().anyMatch(this::isName);
    }

    private boolean isName(List<?> found) {
        final boolean isUri = text.indexOf(':') >= 0;
        return found.get(0) instanceof Integer kind && found.get(1) instanceof String name
            && (isUri ? kind == KIND_URI && name.equals(text)
                : kind == KIND_DNS && name.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns why the other end of a link may not have its NID.
     *
     * @param nid number of the other end, as the other end says
     * @param certificate of the other end; null without TLS
     * @return the reason, for people; null if the certificate has the name
     */
    public @Nullable String fault(int nid, @Nullable X509Certificate certificate) {
        final String need = "a node with NID " + nid + " needs a certificate with the name " + text;
        if (certificate == null) {
            return need + ", and the link has no TLS";
        }
        return isIn(certificate) ? null : need + ", and the certificate of " + certificate.getSubjectX500Principal()
            + " lacks this name";
    }
}
