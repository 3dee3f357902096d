package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.cell.CellTls;
import io.teff.cluster.config.Tls;
import io.teff.cluster.config.TlsPlaces;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.EnterRequest;
import io.teff.cluster.message.SuperpeersAnswer;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.PemAuthority;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: with {@code cluster.tls-superpeer-name}, a process with the secret and the certificate of a client can neither
 * speak as a superpeer nor answer as a superpeer. Method: a superpeer in this process, and a thief of NIDs.
 */
@FullTier("6 s for nodes in this process; CertificateNamesTest has the links of both sides")
final class SuperpeerNameTest {
    private static final String NAME = "teff:superpeer";
    private static final String SECRET = "0123456789abcdef";
    private static final String LACKS = " needs a certificate with the name " + NAME
        + ", and the certificate of CN=client lacks this name";
    private static final String REFUSED = "the other node refuses the link: a certificate lacks the name that its node"
        + " needs, such as the name of superpeers for a superpeer";
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /** Keeps the lines of the node. */
    private static final class Lines implements System.Logger {
        private final Queue<String> all = new ConcurrentLinkedQueue<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            all.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            all.add(level + " " + format);
        }
    }

    @TempDir
    private Path folder;
    private final Lines lines = new Lines();
    private PemAuthority authority;
    private PemFiles client;
    private Path secret;
    private ClusterNode superpeer;
    private String address;

    @BeforeEach
    void startSuperpeer() throws Exception {
        authority = PemAuthority.make(folder, "authority");
        client = authority.sign("client");
        PemFiles superpeers = authority.sign("superpeers", "-ext", "san=uri:" + NAME);
        secret = Files.writeString(folder.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        address = freeAddress();
        Starts.CLUSTER.count();
        superpeer = settings("superpeer", address, superpeers).start(lines);
        superpeer.awaitReady(LIMIT_NS);
    }

    @AfterEach
    void endSuperpeer() {
        superpeer.close();
    }

    private static String freeAddress() {
        String found;
        do {
            found = "127.0.0.1:" + (15_000 + ThreadLocalRandom.current().nextInt(2_000));
        } while (!NodeSettings.portFaults(List.of(found)).isEmpty());
        return found;
    }

    private NodeSettings settings(String role, String listen, PemFiles keys) throws Exception {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(role));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve(role).toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(listen));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(address));
        values.put(NodeOption.SECRET_FILE, OptionValue.of(secret.toString()));
        values.put(NodeOption.TLS_KEY, OptionValue.of(keys.key().toString()));
        values.put(NodeOption.TLS_CERTIFICATE, OptionValue.of(keys.certificate().toString()));
        values.put(NodeOption.TLS_AUTHORITY, OptionValue.of(authority.certificate().toString()));
        values.put(NodeOption.TLS_SUPERPEER_NAME, OptionValue.of(NAME));
        values.put(NodeOption.MEMORY, OptionValue.of("64m"));
        values.put(NodeOption.RING, OptionValue.of("8m"));
        return NodeSettings.of(values, "the test");
    }

    private ClientConfig.Builder client(String superpeerName) throws IOException {
        return ClientConfig.builder(address).secret(secret).superpeerName(superpeerName)
            .tls(client.key(), client.certificate(), authority.certificate());
    }

    /** A network with the secret, and with the certificate of a client, that claims any NID and asks for no name. */
    private NetworkConfig.Builder thief(int nid, NetworkListener listener) throws IOException {
        return thief(nid, client, listener);
    }

    private NetworkConfig.Builder thief(int nid, PemFiles keys, NetworkListener listener) throws IOException {
        Tls tls = Tls.read(new TlsPlaces(keys.key(), keys.certificate(), authority.certificate()));
        return CellTls.of(tls.context(), "").on(NetworkConfig.builder(nid).listener(listener)
            .secret(SECRET.getBytes(StandardCharsets.US_ASCII)).addresses(_ -> "tcp:" + address));
    }

    private void awaitLine(String text) {
        Threads.await(60, lines.all::toString, () -> lines.all.stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void clientsCertificate_thatClaimsTheNidOfASuperpeer_isRefused_andBothSidesSayWhy() throws Exception {
        int nid = CellMessages.nid(1);
        try (Network thief = Network.open(thief(nid, NetworkListener.NONE).build())) {
            CompletionException thrown = assertThrows(CompletionException.class, () -> thief.request(
                CellMessages.nid(0), CellMessages.ENTER, new EnterRequest(1, 5, 0, "")).join());
            assertTrue(thrown.getMessage().contains(REFUSED), thrown::toString);
            assertEquals(0, thief.stats().linksMade(), "nor has a message of consensus a link");
        }
        awaitLine("was refused: this node refuses the link: a node with NID " + nid + LACKS);
        try (ClusterAdmin admin = ClusterAdmin.connect(client(NAME).build())) {
            assertTrue(admin.status().isAnswering(), "for a client the certificate is good");
        }
    }

    @Test
    void nameThatAClientHasSignedForItself_isNotTrusted() throws Exception {
        PemFiles signed = authority.signBy("client", "signed", "-ext", "san=uri:" + NAME);
        try (Network thief = Network.open(thief(CellMessages.nid(1), signed, NetworkListener.NONE).build())) {
            CompletionException thrown = assertThrows(CompletionException.class, () -> thief.request(
                CellMessages.nid(0), CellMessages.ENTER, new EnterRequest(1, 5, 0, "")).join());
            assertTrue(thrown.getMessage().contains("certificate"), thrown::toString);
            assertEquals(0, thief.stats().linksMade());
        }
    }

    @Test
    void superpeer_withAClientsCertificate_isTakenByNobody() throws Exception {
        superpeer.close();
        NetworkListener listener = new NetworkListener() {
            @Override
            public void refused(int nid, String peer, String why) {
                lines.all.add("thief: " + why);
            }
        };
        try (Network fake = Network.open(thief(CellMessages.nid(0), listener).listen("tcp:" + address).build())) {
            fake.answer(CellMessages.SUPERPEERS, (_, _) ->
                new SuperpeersAnswer(SuperpeerSet.of(List.of("tcp:" + address))));
            IOException admin = assertThrows(IOException.class, () -> ClusterAdmin.connect(client(NAME).build()));
            assertTrue(admin.getMessage().contains("a node with NID 1" + LACKS), admin::toString);
            StoreException store = assertThrows(StoreException.class,
                () -> ClusterStore.connect(client(NAME).timeoutNs(LIMIT_NS).build()));
            assertTrue(store.getMessage().contains("a node with NID 1" + LACKS), store::toString);
            NodeStartException peer = assertThrows(NodeStartException.class,
                () -> settings("peer", freeAddress(), client).start(lines).close());
            assertTrue(peer.getMessage().contains("a node with NID 1" + LACKS), peer::toString);
            awaitLine("thief: " + REFUSED);
            assertEquals(0, fake.stats().linksMade());
            ClusterAdmin.connect(client("").build()).close();   // without the option the certificate is enough
            assertEquals(1, fake.stats().linksMade());
        }
    }
}
