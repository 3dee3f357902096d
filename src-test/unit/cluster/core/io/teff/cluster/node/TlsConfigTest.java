package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.config.Tls;
import io.teff.cluster.config.TlsPlaces;
import io.teff.test.kit.PemFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of TLS: good files of each kind, and each fault with its place and what is allowed. */
class TlsConfigTest {
    @TempDir
    private static Path shared;
    private static PemFiles keys;
    private static PemFiles others;

    @TempDir
    private Path folder;
    private final Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = PemFiles.make(shared, "node", "-keyalg", "EC", "-groupname", "secp256r1");
        others = PemFiles.make(shared, "other", "-keyalg", "EC", "-groupname", "secp256r1");
    }

    @BeforeEach
    void setGoodValues() {
        set(NodeOption.ROLE, "peer");
        set(NodeOption.FOLDER, "data");
        set(NodeOption.LISTEN, "127.0.0.1:7410");
        set(NodeOption.SUPERPEERS, "127.0.0.1:7400");
        tls(keys.key(), keys.certificate(), keys.certificate());
    }

    private void set(NodeOption option, String text) {
        values.put(option, new OptionValue(List.of(text), "node.toml:" + option.ordinal(), folder));
    }

    private void tls(Path key, Path certificate, Path authority) {
        set(NodeOption.TLS_KEY, key.toString());
        set(NodeOption.TLS_CERTIFICATE, certificate.toString());
        set(NodeOption.TLS_AUTHORITY, authority.toString());
    }

    private NodeConfig good() throws ConfigException {
        return NodeConfig.of(values, "node.toml");
    }

    /** Returns the only fault, which must name its option. */
    private String fault(NodeOption option) {
        List<String> faults = assertThrows(ConfigException.class, this::good).faults();
        assertEquals(1, faults.size(), faults::toString);
        String place = values.containsKey(option) ? "node.toml:" + option.ordinal() : "node.toml";
        assertTrue(faults.getFirst().startsWith(place + ": " + option.key() + ": "), faults::toString);
        assertTrue(faults.getFirst().endsWith("; allowed: " + option.allowed()), faults::toString);
        return faults.getFirst();
    }

    @ParameterizedTest
    @CsvSource({"EC, -groupname, secp384r1", "RSA, -keysize, 2048", "Ed25519, -validity, 2"})
    void keysOfEachAlgorithm_makeAContext_thatTheTextDoesNotShow(String algorithm, String option, String value)
            throws Exception {
        PemFiles made = PemFiles.make(folder, algorithm, "-keyalg", algorithm, option, value);
        tls(made.key(), made.certificate(), keys.certificate());
        NodeConfig config = good();
        assertNotNull(config.tls().context());
        assertTrue(config.toString().contains("tls=TLS,"), config::toString);
        assertNotNull(ClientConfig.builder("tcp:127.0.0.1:7400")
            .tls(made.key(), made.certificate(), keys.certificate()).build().tls());
    }

    @Test
    void noOption_isNoTls() throws Exception {
        values.keySet().removeAll(List.of(NodeOption.TLS_KEY, NodeOption.TLS_CERTIFICATE, NodeOption.TLS_AUTHORITY));
        assertTrue(good().tls().isNone());
    }

    @ParameterizedTest
    @CsvSource({"TLS_KEY, cluster.tls-certificate", "TLS_CERTIFICATE, cluster.tls-key",
        "TLS_AUTHORITY, cluster.tls-key"})
    void eachOption_missing_isAFault(NodeOption option, String present) {
        values.remove(option);
        assertTrue(fault(option).contains("is missing, and " + present + " is there"));
    }

    @ParameterizedTest
    @CsvSource({"TLS_KEY", "TLS_CERTIFICATE", "TLS_AUTHORITY"})
    void eachFile_missing_orEmpty_orDamaged_isAFault(NodeOption option) throws Exception {
        set(option, "nowhere.pem");
        assertTrue(fault(option).contains("there is no file " + folder.resolve("nowhere.pem")));
        Path file = Files.writeString(folder.resolve("file.pem"), "nothing");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        set(option, "file.pem");
        String kind = option == NodeOption.TLS_KEY ? "private key" : "certificate";
        assertTrue(fault(option).contains(file + " has no " + kind + " in PEM form"));
        String block = kind.toUpperCase(Locale.ROOT);
        Files.writeString(file, "-----BEGIN " + block + "-----\nMTIzNDU2Nzg=\n-----END " + block + "-----\n");
        assertTrue(fault(option).contains(file + " has a damaged "));
        Files.writeString(file, "x".repeat((1 << 20) + 1));
        assertTrue(fault(option).contains("has more than 1048576 bytes"));
    }

    @Test
    void key_ofAnotherForm_saysHowToConvertIt() throws Exception {
        Path file = Files.writeString(folder.resolve("key.pem"), "-----BEGIN EC PRIVATE KEY-----\n");
        set(NodeOption.TLS_KEY, "key.pem");
        assertTrue(fault(NodeOption.TLS_KEY).contains("of another form: openssl pkcs8 -topk8 -nocrypt -in FILE"));
        Files.writeString(file, "-----BEGIN ENCRYPTED PRIVATE KEY-----\n");
        assertTrue(fault(NodeOption.TLS_KEY).contains("has a key with a password"));
    }

    /** The certificate is made for 100 years. */
    @ParameterizedTest
    @CsvSource({"TLS_CERTIFICATE", "TLS_AUTHORITY"})
    void certificates_ofACurveThatTlsLacks_nameTheCurve(NodeOption option) throws Exception {
        Path file = Files.writeString(folder.resolve("curve.pem"), """
            -----BEGIN CERTIFICATE-----
            MIIBeDCCAR6gAwIBAgIUJYmiOauqUtA08lu+ogj81Ku6x0gwCgYIKoZIzj0EAwIw
            EDEOMAwGA1UEAwwFY3VydmUwIBcNMjYxMTI5MTQwMjQwWhgPMjEyNjExMDUxNDAy
            NDBaMBAxDjAMBgNVBAMMBWN1cnZlMFowFAYHKoZIzj0CAQYJKyQDAwIIAQEHA0IA
            BFwjZ555TO/mO+enlDmtpM8lmd0c7IxCQ42HjqKUc3nPlP6vK7J6vOo9KwVeeYkV
            t0R2x0e5GmwAwCVe0qyvGbujUzBRMB0GA1UdDgQWBBRxpR4EVB1926FD6k5PbcCm
            VjcGbDAfBgNVHSMEGDAWgBRxpR4EVB1926FD6k5PbcCmVjcGbDAPBgNVHRMBAf8E
            BTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCc9nYtvIDRfw6r9vJKnMYxlOZjf1oO
            1GbDDc4N7MM2FgIgLiWoBPrUZJhKOustVCsrGsmStGla3zTrguzGQHoFrAE=
            -----END CERTIFICATE-----
            """);
        set(option, "curve.pem");
        String fault = fault(option);
        assertTrue(fault.contains(file + " has only certificates that TLS cannot use; the last is of the curve "
            + "brainpoolP256r1 (1.3.36.3.3.2.8.1.1.7), which TLS of this JDK lacks; curves of TLS: secp256r1"), fault);
    }

    @ParameterizedTest
    @CsvSource({"TLS_KEY", "TLS_CERTIFICATE", "TLS_AUTHORITY"})
    void eachFile_inUtf16_namesTheEncoding(NodeOption option) throws Exception {
        Path file = Files.write(folder.resolve("wide.pem"), "-----BEGIN".getBytes(StandardCharsets.UTF_16));
        set(option, "wide.pem");
        assertTrue(fault(option).contains(file + " is text in the encoding UTF-16: save the file in UTF-8"));
    }

    @Test
    void key_ofACurveThatTlsLacks_namesTheCurve() throws Exception {
        Path file = Files.writeString(folder.resolve("curve.key"), """
            -----BEGIN PRIVATE KEY-----
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgZp0yrzNwjOtWrVKwQGWz
            YhwjEpzd0nVp3uCRkbyWQYKhRANCAARuc6BGAZ0P1x9IdryUhZ7yE80symqRosXr
            5ZxmAiRhKERZQmzROwR9Mw+UcnnKCI9DXw9j7htPajOmorAOwH8W
            -----END PRIVATE KEY-----
            """);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        set(NodeOption.TLS_KEY, "curve.key");
        String fault = fault(NodeOption.TLS_KEY);
        assertTrue(fault.contains(file + " has a key of the curve secp256k1 (1.3.132.0.10), which TLS of this JDK "
            + "lacks; curves of TLS: secp256r1, secp384r1, secp521r1"), fault);
    }

    @Test
    void key_thatOthersCanRead_isAFault() throws Exception {
        Path copy = Files.copy(keys.key(), folder.resolve("open.key"));
        set(NodeOption.TLS_KEY, copy.toString());
        for (String open : new String[] {"rw-r--r--", "rw-rw----", "r--r---w-"}) {
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(open));
            assertTrue(fault(NodeOption.TLS_KEY).contains("can be read or changed by other users: chmod 600"));
        }
    }

    @Test
    void key_ofThisUser_thatAGroupCanRead_isTaken() throws Exception {
        Path copy = Files.copy(keys.key(), folder.resolve("group.key"));
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r--r-----"));
        set(NodeOption.TLS_KEY, Files.createSymbolicLink(folder.resolve("link.key"), copy).toString());
        assertFalse(good().tls().isNone());
    }

    @Test
    void certificate_ofAnotherKey_isAFault() {
        set(NodeOption.TLS_CERTIFICATE, others.certificate().toString());
        assertTrue(fault(NodeOption.TLS_CERTIFICATE).contains(
            "has the certificate of CN=other, which is not that of the key in cluster.tls-key"));
        IOException thrown = assertThrows(IOException.class,
            () -> Tls.read(new TlsPlaces(keys.key(), others.certificate(), keys.certificate())));
        assertTrue(thrown.getMessage().contains("which is not that of the key in " + keys.key()), thrown::toString);
    }

    @ParameterizedTest
    @CsvSource({"-3d, 'CN=other-time, which was valid until 2'", "+2d, 'CN=other-time, which is not valid before 2'"})
    void certificate_outOfItsTime_isAFault(String start, String expected) throws Exception {
        PemFiles made = PemFiles.make(folder, "other-time", "-keyalg", "EC", "-groupname", "secp256r1", "-startdate",
            start, "-validity", "1");
        tls(made.key(), made.certificate(), made.certificate());
        assertTrue(fault(NodeOption.TLS_CERTIFICATE).contains("has the certificate of " + expected));
        IOException client = assertThrows(IOException.class, () -> ClientConfig.builder("tcp:127.0.0.1:7400")
            .tls(made.key(), made.certificate(), made.certificate()));
        assertTrue(client.getMessage().contains("has the certificate of " + expected), client::getMessage);
    }

    @Test
    void nameOfSuperpeers_isInTheCertificateOfASuperpeer_andOfNoOtherNode() throws Exception {
        PemFiles named = PemFiles.make(folder, "named", "-keyalg", "EC", "-groupname", "secp256r1", "-ext",
            "san=uri:teff:superpeer");
        set(NodeOption.TLS_SUPERPEER_NAME, "teff:superpeer");
        assertEquals("teff:superpeer", good().superpeerName());
        tls(named.key(), named.certificate(), named.certificate());
        assertTrue(fault(NodeOption.TLS_SUPERPEER_NAME).contains(
            " has the certificate of CN=named, which has the name teff:superpeer of superpeers: this node is none"));
        set(NodeOption.ROLE, "superpeer");
        set(NodeOption.SUPERPEERS, "127.0.0.1:7410");
        assertEquals("teff:superpeer", good().superpeerName());
        tls(keys.key(), keys.certificate(), keys.certificate());
        assertTrue(fault(NodeOption.TLS_SUPERPEER_NAME).contains(" has the certificate of CN=node, which lacks the "
            + "name teff:superpeer: no other node would take this node for a superpeer"));
    }

    @Test
    void nameOfSuperpeers_needsTls_andALegalText() {
        set(NodeOption.TLS_SUPERPEER_NAME, "a b");
        assertTrue(fault(NodeOption.TLS_SUPERPEER_NAME).contains("'a b' is no name"));
        set(NodeOption.TLS_SUPERPEER_NAME, "teff:superpeer");
        set(NodeOption.SUPERPEERS, "ucx:127.0.0.1:7400");
        assertTrue(fault(NodeOption.TLS_SUPERPEER_NAME).contains("links to ucx:127.0.0.1:7400 have none"));
        set(NodeOption.SUPERPEERS, "127.0.0.1:7400");
        values.keySet().removeAll(List.of(NodeOption.TLS_KEY, NodeOption.TLS_CERTIFICATE, NodeOption.TLS_AUTHORITY));
        assertTrue(fault(NodeOption.TLS_SUPERPEER_NAME).contains("needs cluster.tls-key"));
        ClientConfig.Builder client = ClientConfig.builder("tcp:127.0.0.1:7400");
        assertThrows(IllegalArgumentException.class, () -> client.superpeerName("a b"));
        client.superpeerName("teff:superpeer");
        assertThrows(IllegalArgumentException.class, client::build);
        assertEquals("", client.superpeerName("").build().superpeerName());
    }

    @Test
    void theSecret_isNeededOffLoopback_alsoWithTls_andTheTextSaysWhatToDo() {
        set(NodeOption.LISTEN, "10.0.0.1:7410");
        String fault = fault(NodeOption.LISTEN);
        assertTrue(fault.contains("other machines reach 10.0.0.1:7410, so cluster.secret-file is needed: "
            + "openssl rand -out secret 32 && chmod 600 secret makes one"), fault);
        assertFalse(fault.contains("tls"), fault);
    }

    @Test
    void aPeer_thatListensEverywhere_needsAnAddress() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        set(NodeOption.SECRET_FILE, "secret");
        for (String everywhere : new String[] {"0.0.0.0:7410", "[::]:7410"}) {
            set(NodeOption.LISTEN, everywhere);
            values.remove(NodeOption.ADDRESS);
            assertTrue(fault(NodeOption.LISTEN).contains("no other node finds " + everywhere
                + ", so node.address is needed"));
            set(NodeOption.ADDRESS, everywhere);
            assertTrue(fault(NodeOption.ADDRESS).contains("no other node finds " + everywhere));
            set(NodeOption.ADDRESS, "10.0.0.1:7410");
            assertEquals("10.0.0.1:7410", good().address().toString());
        }
    }
}
