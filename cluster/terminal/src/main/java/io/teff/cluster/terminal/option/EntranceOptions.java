package io.teff.cluster.terminal.option;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.OptionValue;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name a cluster without a folder on this machine. */
public final class EntranceOptions {
    @Option(names = "--superpeers", paramLabel = "HOST:PORT", split = ",",
        description = "Superpeers of a cluster that has no folder on this machine; one of them is enough.")
    private @Nullable List<String> superpeers;

    @Option(names = "--secret-file", paramLabel = "FILE",
        description = "File with the secret of such a cluster, or with the token of a principal.")
    private @Nullable Path secretFile;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "File with a key, if such a cluster uses TLS.")
    private @Nullable Path tlsKey;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "File with the certificate of the key.")
    private @Nullable Path tlsCertificate;

    @Option(names = "--tls-authority", paramLabel = "FILE", description = "File with the authorities to be trusted.")
    private @Nullable Path tlsAuthority;

    @Option(names = "--tls-superpeer-name", paramLabel = "NAME", defaultValue = "",
        description = "Name that the certificates of superpeers must have. By default any trusted certificate does.")
    private String tlsSuperpeerName = "";

    /** For commands. */
    public EntranceOptions() {}

    /** {@return whether the cluster is named by addresses, and not by a folder} */
    public boolean isElsewhere() {
        return superpeers != null;
    }

    /**
     * Connects to the cluster.
     *
     * @param spec the command, for faults of the command line
     * @return the connection
     * @throws IOException if a file cannot be read, or {@link ClusterAdmin#connect(ClientConfig)} fails
     */
    public ClusterAdmin connect(CommandSpec spec) throws IOException {
        return ClusterAdmin.connect(client(spec));
    }

    /**
     * {@return the configuration of a client}
     *
     * @param spec the command, for faults of the command line
     * @throws IOException if a file cannot be read
     */
    public ClientConfig client(CommandSpec spec) throws IOException {
        return client(spec, superpeers == null ? List.of() : superpeers);
    }

    /**
     * Names superpeers beside those of the option.
     *
     * @param addresses of superpeers
     */
    public void add(List<String> addresses) {
        List<String> all = new ArrayList<>(superpeers == null ? List.of() : superpeers);
        all.addAll(addresses);
        superpeers = all;
    }

    /**
     * Takes the secret from another file.
     *
     * @param file with the secret
     */
    public void secretOf(Path file) {
        secretFile = file;
    }

    /** {@return the values of the options, by their names} */
    public Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        if (superpeers != null) {
            given.put("--superpeers", String.join(",", superpeers));
        }
        put(given, "--secret-file", secretFile);
        put(given, "--tls-key", tlsKey);
        put(given, "--tls-certificate", tlsCertificate);
        put(given, "--tls-authority", tlsAuthority);
        put(given, "--tls-superpeer-name", tlsSuperpeerName.isEmpty() ? null : tlsSuperpeerName);
        return given;
    }

    private static void put(Map<String, String> given, String name, @Nullable Object value) {
        if (value != null) {
            given.put(name, value.toString());
        }
    }

    private ClientConfig client(CommandSpec spec, List<String> addresses) throws IOException {
        if (addresses.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--superpeers names no address");
        }
        for (String address : addresses) {
            if (!OptionValue.of(address).isAddress()) {
                throw new ParameterException(spec.commandLine(), "--superpeers: '" + address
                    + "' is no address; allowed: host:port, also with tcp: or ucx: in front");
            }
        }
        ClientConfig.Builder client = builder(spec, addresses.toArray(String[]::new));
        client = secretFile == null ? client : client.secret(secretFile);
        if (tlsKey == null && tlsCertificate == null && tlsAuthority == null) {
            if (!tlsSuperpeerName.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "--tls-superpeer-name needs --tls-key");
            }
            return client.build();
        }
        if (tlsKey == null || tlsCertificate == null || tlsAuthority == null) {
            throw new ParameterException(spec.commandLine(),
                "TLS needs --tls-key, --tls-certificate and --tls-authority");
        }
        try {
            client.superpeerName(tlsSuperpeerName);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--tls-superpeer-name: " + FailureText.of(e), e);
        }
        return client.tls(tlsKey, tlsCertificate, tlsAuthority).build();
    }

    private static ClientConfig.Builder builder(CommandSpec spec, String... addresses) {
        try {
            return ClientConfig.builder(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--superpeers: " + FailureText.of(e), e);
        }
    }
}
