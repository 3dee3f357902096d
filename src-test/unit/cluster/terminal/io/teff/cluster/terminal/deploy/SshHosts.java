package io.teff.cluster.terminal.deploy;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Three hosts on this machine: each has an address of its own, a real sshd with its own key at a high port, and a
 * folder of its own. All files are in a folder of the test; the sshd of the machine is not touched.
 */
final class SshHosts implements AutoCloseable {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final Path KEYGEN = Path.of("/usr/bin/ssh-keygen");
    private static final List<String> ADDRESSES = List.of("127.0.0.11", "127.0.0.12", "127.0.0.13");

    private final Path folder;
    private final List<Process> daemons = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final Path hosts;

    /** Starts the daemons. */
    SshHosts(Path folder) throws Exception {
        this.folder = folder;
        for (int i = 0; i < 3; i++) {                           // ssh, superpeer, peer
            ports.add(freePort());
        }
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.resolve("key").toString());
        Files.createDirectories(Path.of("/run/sshd"));
        StringBuilder known = new StringBuilder();
        for (String address : ADDRESSES) {
            known.append(start(address));
        }
        Files.writeString(folder.resolve("known"), known);
        Files.writeString(folder.resolve("ssh_config"), "Host *\n  IdentityFile " + folder.resolve("key")
            + "\n  IdentitiesOnly yes\n  UserKnownHostsFile " + folder.resolve("known")
            + "\n  GlobalKnownHostsFile /dev/null\n");
        hosts = Files.writeString(folder.resolve("hosts.toml"), hosts());
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    }

    /** Returns why there can be no hosts on this machine; null if there can be. Installs sshd if this user may. */
    static @Nullable String missing() throws Exception {
        if (!System.getProperty("user.name").equals("root")) {
            return "a daemon of ssh needs root";
        }
        if (!Files.isExecutable(SSHD) || !Files.isExecutable(KEYGEN)) {
            if (!Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
                return "there is no sshd, and no apt-get";
            }
            ChildProcess.Result result = ChildProcess.run(Path.of("/"), Map.of("PATH", System.getenv("PATH"),
                "DEBIAN_FRONTEND", "noninteractive"), List.of("apt-get", "install", "-y", "-q", "openssh-server"));
            if (result.exitCode() != 0 || !Files.isExecutable(SSHD)) {
                return "there is no sshd, and apt-get cannot install it";
            }
        }
        return null;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral(ADDRESSES.getFirst()))) {
            return socket.getLocalPort();
        }
    }

    private static void run(String... words) throws Exception {
        ChildProcess.Result result = ChildProcess.run(Path.of("/"), Map.of("PATH", System.getenv("PATH")),
            List.of(words));
        if (result.exitCode() != 0) {
            throw new IOException(List.of(words) + ": " + result.errors());
        }
    }

    /** Starts the daemon of an address; returns the line of its key. */
    private String start(String address) throws Exception {
        Path home = Files.createDirectories(home(address));
        Path key = home.resolve("host_key");
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
        Path config = Files.writeString(home.resolve("sshd_config"), "Port " + ports.get(0) + "\nListenAddress "
            + address + "\nHostKey " + key + "\nAuthorizedKeysFile " + folder.resolve("key.pub") + "\nPidFile none\n"
            + "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n"
            + "PermitRootLogin prohibit-password\n");
        daemons.add(new ProcessBuilder(SSHD.toString(), "-D", "-f", config.toString(), "-E", home.resolve("sshd.log")
            .toString()).start());
        Threads.await("the sshd of " + address, () -> isOpen(address));
        String[] words = Files.readString(Path.of(key + ".pub")).split(" ");
        return "[" + address + "]:" + ports.get(0) + " " + words[0] + " " + words[1].strip() + "\n";
    }

    private boolean isOpen(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, ports.get(0)), 1_000);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private String hosts() {
        StringBuilder text = new StringBuilder("[deploy]\nssh-options = [\"-F\", \"" + folder.resolve("ssh_config")
            + "\"]\njava = \"" + System.getProperty("java.home") + "\"\npeer-heap = \"96m\"\nsuperpeer-heap = \"64m\"\n"
            + "[cluster]\nsecret-file = \"secret\"\n[peer]\nmemory = \"64m\"\n");
        for (String address : ADDRESSES) {
            text.append("[[host]]\nname = \"h").append(address, address.length() - 1, address.length())
                .append("\"\naddress = \"").append(address).append("\"\nssh = \"root@").append(address)
                .append("\"\nssh-port = ").append(ports.get(0)).append("\nsuperpeer = ").append(ports.get(1))
                .append("\npeer = ").append(ports.get(2)).append("\nfolder = \"").append(home(address).resolve("teff"))
                .append("\"\n");
        }
        return text.toString();
    }

    private Path home(String address) {
        return folder.resolve(address);
    }

    /** Returns the folder of the deployment at a host, from 0. */
    Path teff(int host) {
        return home(ADDRESSES.get(host)).resolve("teff");
    }

    /** Returns the file of the hosts. */
    Path file() {
        return hosts;
    }

    Path secret() {
        return folder.resolve("secret");
    }

    /** Returns the addresses of the superpeers. */
    String[] superpeers() {
        return ADDRESSES.stream().map(address -> "tcp:" + address + ":" + ports.get(1)).toArray(String[]::new);
    }

    InetSocketAddress peer(int host) {
        return new InetSocketAddress(ADDRESSES.get(host), ports.get(2));
    }

    @Override
    public void close() {
        daemons.forEach(Process::destroy);
    }
}
