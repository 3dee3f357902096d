package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.MissingRightException;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.test.kit.PemAuthority;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a process with the secret has the rights of the name in its certificate. Method: a superpeer with TLS and
 * roles, and three clients with the secret: with the name of an operator, with the name of a reader, and with no name.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@FullTier("a start of a node with TLS; AccessControlTest has the names in certificates")
final class RolesTlsTest {
    private static final int SUPERPEER = 1;

    @TempDir
    private Path folder;
    private PemAuthority authority;
    private String address;

    private ClusterNode start() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "the secret of all nodes");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("roles.toml"), """
            [ops]
            roles = "operator"
            certificate = "teff:ops"
            [reporting]
            roles = "reader"
            certificate = "teff:reporting"
            """);
        authority = PemAuthority.make(folder, "authority");
        PemFiles keys = authority.sign("node");
        do {
            address = "127.0.0.1:" + (20_000 + ThreadLocalRandom.current().nextInt(10_000));
        } while (!NodeSettings.portFaults(List.of(address)).isEmpty());
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of("superpeer"));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve("node").toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(address));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(address));
        values.put(NodeOption.SECRET_FILE, OptionValue.of(secret.toString()));
        values.put(NodeOption.ROLES_FILE, OptionValue.of(folder.resolve("roles.toml").toString()));
        values.put(NodeOption.TLS_KEY, OptionValue.of(keys.key().toString()));
        values.put(NodeOption.TLS_CERTIFICATE, OptionValue.of(keys.certificate().toString()));
        values.put(NodeOption.TLS_AUTHORITY, OptionValue.of(authority.certificate().toString()));
        Starts.CLUSTER.count();
        ClusterNode node = NodeSettings.of(values, "the test").start(System.getLogger("roles"));
        node.awaitReady(TimeUnit.SECONDS.toNanos(60));
        return node;
    }

    private ClusterAdmin connect(String name, String... keytool) throws Exception {
        PemFiles keys = authority.sign(name, keytool);
        return ClusterAdmin.connect(ClientConfig.builder(address).secret(folder.resolve("secret"))
            .tls(keys.key(), keys.certificate(), authority.certificate()).build());
    }

    @Test
    void nameInTheCertificate_isThePrincipal() throws Exception {
        try (ClusterNode node = start();
             ClusterAdmin ops = connect("ops", "-ext", "san=uri:teff:ops");
             ClusterAdmin reporting = connect("reporting", "-ext", "san=uri:teff:reporting");
             ClusterAdmin other = connect("other")) {
            assertNotNull(node.settings());
            assertNotNull(ops.log(SUPERPEER, 5));
            assertEquals("ops, operator", ops.access().getFirst().caller());
            assertEquals("reporting", assertThrows(MissingRightException.class, () ->
                reporting.log(SUPERPEER, 5)).principal());
            assertNotNull(reporting.status().nodes().getFirst().status());
            assertNotNull(other.log(SUPERPEER, 5), "the secret without a name is that of nodes");
        }
    }
}
