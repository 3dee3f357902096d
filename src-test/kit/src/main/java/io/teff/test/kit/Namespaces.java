package io.teff.test.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two network namespaces with a router between them, whose iptables lose or refuse what goes to one side or both.
 * <pre>
 *   a: 10.77.1.2 ──── 10.77.1.1 router 10.77.2.1 ──── b: 10.77.2.2
 * </pre>
 */
public final class Namespaces implements AutoCloseable {
    /** The effects of the router on packets. */
    public enum Cut {
        /** Drops all packets. */
        BOTH(true, true, "-j DROP"),
        /** Drops packets to a. */
        TO_A(true, false, "-j DROP"),
        /** Drops packets to b. */
        TO_B(false, true, "-j DROP"),
        /** Answers all packets with RST. */
        RST(true, true, "-p tcp -j REJECT --reject-with tcp-reset"),
        /** Answers packets to b with RST. */
        RST_TO_B(false, true, "-p tcp -j REJECT --reject-with tcp-reset"),
        /** Reports that b is unreachable: links stay, and new ones fail at once. */
        UNREACHABLE(false, true, "-j REJECT --reject-with icmp-host-unreachable"),
        /** Drops packets to b of more than 200 bytes: greetings pass, messages do not. */
        LONG_TO_B(false, true, "-m length --length 201:65535 -j DROP"),
        /** Drops three of ten packets. */
        SOME(true, true, "-m statistic --mode random --probability 0.3 -j DROP");

        private final boolean isToA;
        private final boolean isToB;
        private final String rule;

        Cut(boolean isToA, boolean isToB, String rule) {
            this.isToA = isToA;
            this.isToB = isToB;
            this.rule = rule;
        }

        /** Whether each link breaks eventually. */
        public boolean isTotal() {
            return this != SOME;
        }
    }

    private static final String A = "10.77.1.";
    private static final String B = "10.77.2.";

    private final String prefix = "teff" + ProcessHandle.current().pid();
    private final String router = prefix + "r";

    /** Makes the namespaces and their links. */
    public Namespaces() throws IOException, InterruptedException {
        boolean isMade = false;
        try {
            ip("netns", "add", router);
            ip("-n", router, "link", "set", "lo", "up");
            side("a", A);
            side("b", B);
            run("ip", "netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
            isMade = true;
        } finally {
            if (!isMade) {
                close();
            }
        }
    }

    /** Returns the reason why namespaces are not available on this machine; null if they are. */
    public static String missing() {
        final String name = "teff" + ProcessHandle.current().pid() + "t";
        try {
            ip("netns", "add", name);
            try {
                for (Cut cut : Cut.values()) {
                    rule(name, "-A", B + "2", cut);
                }
            } finally {
                ip("netns", "del", name);
            }
            return null;
        } catch (IOException | AssertionError e) {
            return "no network namespaces, or no iptables: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void side(String name, String net) throws IOException, InterruptedException {
        final String its = prefix + name;
        ip("netns", "add", its);
        ip("link", "add", "to-" + name, "netns", router, "type", "veth", "peer", "name", "eth0", "netns", its);
        ip("-n", router, "addr", "add", net + "1/24", "dev", "to-" + name);
        ip("-n", router, "link", "set", "to-" + name, "up");
        ip("-n", its, "addr", "add", net + "2/24", "dev", "eth0");
        ip("-n", its, "link", "set", "eth0", "up");
        ip("-n", its, "link", "set", "lo", "up");
        ip("-n", its, "route", "add", "default", "via", net + "1");
        Threads.await("the link of " + its, () -> isUp(its));
    }

    /** Returns the command prefix for side a or b. */
    public List<String> within(String side) {
        return List.of("ip", "netns", "exec", prefix + side);
    }

    /** Returns the address of a side. */
    public static String address(String side) {
        return ("a".equals(side) ? A : B) + "2";
    }

    /** Gives a side a second address, and returns it. */
    public String addAddress(String side) throws IOException, InterruptedException {
        final String added = ("a".equals(side) ? A : B) + "3";
        ip("-n", prefix + side, "addr", "add", added + "/24", "dev", "eth0");
        return added;
    }

    /** Applies or removes a cut. */
    public void cut(Cut cut, boolean isHealed) throws IOException, InterruptedException {
        if (cut.isToA) {
            rule(router, isHealed ? "-D" : "-A", A + "2", cut);
        }
        if (cut.isToB) {
            rule(router, isHealed ? "-D" : "-A", B + "2", cut);
        }
    }

    private static void rule(String namespace, String verb, String to, Cut cut) throws IOException,
        InterruptedException {
        ip(("netns exec " + namespace + " iptables -w " + verb + " FORWARD -d " + to + " " + cut.rule).split(" "));
    }

    private static void ip(String... words) throws IOException, InterruptedException {
        final String[] command = new String[words.length + 1];
        command[0] = "ip";
        System.arraycopy(words, 0, command, 1, words.length);
        run(command);
    }

    /** A link is up some time after the command, and libraries leave out devices that are not up. */
    private static boolean isUp(String its) {
        try {
            return run("ip", "-n", its, "link", "show", "eth0").contains("state UP");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    /**
     * Adds or removes a rule of the firewall within a side.
     *
     * @param side a or b
     * @param words of the rule behind the verb, such as {@code INPUT -p tcp --dport 1 -j DROP}
     */
    public void rule(String side, boolean isAdded, String words) throws IOException, InterruptedException {
        ip(("netns exec " + prefix + side + " iptables -w " + (isAdded ? "-A " : "-D ") + words).split(" "));
    }

    /** Removes the namespaces, with their links and routes. */
    @Override
    public void close() {
        for (String each : List.of("a", "b", "r")) {
            if (Files.exists(Path.of("/run/netns", prefix + each))) {
                try {
                    ip("netns", "del", prefix + each);
                } catch (IOException e) {
                    throw new AssertionError(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
