package io.teff.cluster.node;

import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.OwnName;
import io.teff.cluster.config.Tls;
import io.teff.cluster.config.TlsFiles;
import io.teff.cluster.config.TlsPlaces;
import io.teff.cluster.net.config.CertificateName;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Checks the options of TLS: the options are all set or all missing, and the files belong together. Used once. */
final class TlsCheck {
    private static final List<NodeOption> OPTIONS = List.of(NodeOption.TLS_KEY, NodeOption.TLS_CERTIFICATE,
        NodeOption.TLS_AUTHORITY);

    private final Map<NodeOption, OptionValue> values;
    private final BiFunction<NodeOption, Path, Path> paths;
    private final BiConsumer<NodeOption, String> faults;
    /** The certificate of the node; null if the certificate cannot be read. */
    private @Nullable X509Certificate certificate;

    /** Reads a file into an object of TLS. */
    private interface Reader<T> {
        T read(Path file) throws IOException;
    }

    TlsCheck(Map<NodeOption, OptionValue> values, BiFunction<NodeOption, Path, Path> paths,
             BiConsumer<NodeOption, String> faults) {
        this.values = values;
        this.paths = paths;
        this.faults = faults;
    }

    /**
     * Returns the context, or none; notes every fault.
     *
     * @param name of superpeers; null for none
     * @param role of the node
     * @param addresses of the node and of superpeers
     */
    Tls check(@Nullable String name, NodeRole role, List<Address> addresses) {
        OwnName own = own(name, role);
        Tls tls = check(own);
        if (own.superpeers() != null) {
            checkName(own, addresses);
        }
        return tls;
    }

    private OwnName own(@Nullable String name, NodeRole role) {
        if (name == null) {
            return OwnName.NONE;
        }
        if (!CertificateName.isName(name)) {
            faults.accept(NodeOption.TLS_SUPERPEER_NAME, "'" + name + "' is no name");
            return OwnName.NONE;
        }
        return new OwnName(new CertificateName(name), role == NodeRole.SUPERPEER);
    }

    private Tls check(OwnName own) {
        List<NodeOption> set = OPTIONS.stream().filter(values::containsKey).toList();
        if (set.isEmpty()) {
            return Tls.NONE;
        }
        for (NodeOption option : OPTIONS) {
            if (!set.contains(option)) {
                faults.accept(option, "is missing, and " + set.getFirst().key() + " is there");
            }
        }
        PrivateKey key = read(NodeOption.TLS_KEY, TlsFiles::key);
        List<X509Certificate> chain = read(NodeOption.TLS_CERTIFICATE, file -> {
            List<X509Certificate> found = TlsFiles.certificates(file);
            TlsFiles.checkTime(file, found.getFirst(), new Date(Clock.SYSTEM.epochMs()));
            return found;
        });
        List<X509Certificate> authorities = read(NodeOption.TLS_AUTHORITY, TlsFiles::certificates);
        certificate = chain == null ? null : chain.getFirst();
        if (key == null || chain == null || authorities == null) {
            return Tls.NONE;
        }
        Tls made = read(NodeOption.TLS_CERTIFICATE, file -> {
            TlsFiles.checkOwner(file, chain.getFirst(), key, NodeOption.TLS_KEY.key());
            TlsPlaces places = new TlsPlaces(path(NodeOption.TLS_KEY), file, path(NodeOption.TLS_AUTHORITY));
            return Tls.of(places, key, chain, authorities, own, Clock.SYSTEM);
        });
        return made == null ? Tls.NONE : made;
    }

    /**
     * Checks that the certificate keeps the rule for the name of superpeers, and that all links to superpeers have
     * certificates.
     */
    private void checkName(OwnName own, List<Address> addresses) {
        if (!values.containsKey(NodeOption.TLS_KEY)) {
            faults.accept(NodeOption.TLS_SUPERPEER_NAME, "needs " + NodeOption.TLS_KEY.key());
        }
        addresses.stream().filter(address -> !address.isTcp()).findFirst().ifPresent(address -> faults.accept(
            NodeOption.TLS_SUPERPEER_NAME, "needs TLS, and links to " + address + " have none"));
        String fault = certificate == null ? null : own.fault(certificate);
        if (fault != null) {
            faults.accept(NodeOption.TLS_SUPERPEER_NAME, path(NodeOption.TLS_CERTIFICATE) + " has " + fault);
        }
    }

    private Path path(NodeOption option) {
        return paths.apply(option, Path.of(""));
    }

    private <T> @Nullable T read(NodeOption option, Reader<T> reader) {
        if (!values.containsKey(option)) {
            return null;
        }
        Path file = path(option);
        try {
            return reader.read(file);
        } catch (NoSuchFileException _) {
            faults.accept(option, "there is no file " + file);
        } catch (FileSystemException e) {
            faults.accept(option, file + " " + (e.getReason() == null ? "cannot be read" : e.getReason()));
        } catch (IOException e) {
            faults.accept(option, file + " cannot be read: " + FailureText.of(e));
        }
        return null;
    }
}
