package io.teff.test.cluster.kills;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch with hosts in network namespaces of their own. Each host drops packets by its own iptables, so that any
 * direction between two hosts can be cut. The process of the test is at the switch, too, and reaches all hosts.
 * <pre>
 *   host 1: 10.78.n.1 ──┐
 *   host 2: 10.78.n.2 ──┼── switch ── 10.78.n.254: this process
 *   host 3: 10.78.n.3 ──┘
 * </pre>
 */
final class HostNetwork implements AutoCloseable {
    private static final int NETS = 200;
    private static final int OWN = 254;

    private final long pid = ProcessHandle.current().pid();
    private final String prefix = "teff" + pid;
    private final String center = prefix + "s";
    private final String net = "10.78." + pid % NETS + '.';
    private final List<String> namespaces = new ArrayList<>();
    private boolean isPlugged;

    /**
     * Makes the network.
     *
     * @param hosts number of hosts, 1 to 100
     */
    HostNetwork(int hosts) throws IOException, InterruptedException {
        boolean isMade = false;
        try {
            add(center);
            ip("-n", center, "link", "add", "switch", "type", "bridge");
            ip("-n", center, "link", "set", "switch", "up");
            ip("link", "add", prefix, "type", "veth", "peer", "name", "own", "netns", center);
            isPlugged = true;
            plug("own");
            ip("addr", "add", net + OWN + "/24", "dev", prefix);
            ip("link", "set", prefix, "up");
            for (int host = 1; host <= hosts; host++) {
                final String name = name(host);
                add(name);
                ip("link", "add", "h" + host, "netns", center, "type", "veth", "peer", "name", "eth0", "netns", name);
                plug("h" + host);
                ip("-n", name, "addr", "add", address(host) + "/24", "dev", "eth0");
                ip("-n", name, "link", "set", "eth0", "up");
                ip("-n", name, "link", "set", "lo", "up");
            }
            isMade = true;
        } finally {
            if (!isMade) {
                close();
            }
        }
    }

    /** Returns the reason why such a network is not available on this machine; null if it is. */
    static @Nullable String missing() {
        try (HostNetwork network = new HostNetwork(2)) {
            network.cut(List.of(1), List.of(2));
            network.lose(1, 0.5);
            network.heal();
            network.slow(1, 1_000);
            network.hasten(1);
            return null;
        } catch (IOException | AssertionError e) {
            return "no network namespaces, or no iptables and tc: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void add(String namespace) throws IOException, InterruptedException {
        ip("netns", "add", namespace);
        namespaces.add(namespace);
    }

    private void plug(String port) throws IOException, InterruptedException {
        ip("-n", center, "link", "set", port, "master", "switch", "up");
    }

    private String name(int host) {
        return prefix + 'h' + host;
    }

    /** Returns the address of a host. */
    String address(int host) {
        return net + host;
    }

    /** Returns the words in front of a command that runs at a host. */
    List<String> at(int host) {
        return List.of("ip", "netns", "exec", name(host));
    }

    // ---- faults ----

    /** Drops what some hosts send to others, in this one direction. */
    void cut(Collection<Integer> from, Collection<Integer> to) throws IOException, InterruptedException {
        for (int receiver : to) {
            for (int sender : from) {
                drop(receiver, "-s", address(sender));
            }
        }
    }

    /** Drops what two groups of hosts send to each other. */
    void split(Collection<Integer> some, Collection<Integer> others) throws IOException, InterruptedException {
        cut(some, others);
        cut(others, some);
    }

    /** Loses a part of the packets that a host receives, at random. */
    void lose(int host, double part) throws IOException, InterruptedException {
        drop(host, "-i", "eth0", "-m", "statistic", "--mode", "random", "--probability", String.valueOf(part));
    }

    private void drop(int host, String... which) throws IOException, InterruptedException {
        final List<String> words = new ArrayList<>(List.of("iptables", "-w", "-A", "INPUT"));
        words.addAll(Arrays.asList(which));
        words.addAll(List.of("-j", "DROP"));
        run(host, words);
    }

    /** Ends all cuts and losses. */
    void heal() throws IOException, InterruptedException {
        for (int host = 1; host < namespaces.size(); host++) {
            run(host, List.of("iptables", "-w", "-F", "INPUT"));
        }
    }

    /** Limits what a host sends. */
    void slow(int host, int kbits) throws IOException, InterruptedException {
        run(host, List.of("tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", kbits + "kbit", "burst", "16kb",
            "latency", "400ms"));
    }

    /** Ends the limit of {@link #slow}. */
    void hasten(int host) throws IOException, InterruptedException {
        run(host, List.of("tc", "qdisc", "del", "dev", "eth0", "root"));
    }

    private void run(int host, List<String> words) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(at(host));
        command.addAll(words);
        run(command);
    }

    private static void ip(String... words) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        run(command);
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + output.strip());
        }
    }

    /** Removes the namespaces, with their links and routes. */
    @Override
    public void close() {
        try {
            if (isPlugged) {
                ip("link", "del", prefix);                      // the kernel removes those of namespaces later
            }
            for (String each : namespaces) {
                ip("netns", "del", each);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
