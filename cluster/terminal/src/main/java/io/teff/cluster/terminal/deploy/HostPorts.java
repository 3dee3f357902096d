package io.teff.cluster.terminal.deploy;

import io.teff.cluster.terminal.deploy.HostFacts.Finding;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.FailureText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Checks that the ports of all nodes are free, and that each host reaches the ports of all other hosts. {@link
 * PortProbe} listens at the ports of ended nodes meanwhile; running nodes listen by themselves.
 */
final class HostPorts {
    private static final int PARTS = 4;

    private final Fleet fleet;
    private final Set<String> running;
    private final Queue<Finding> found = new ConcurrentLinkedQueue<>();
    /** Addresses that could not be opened: that they are not reached is no news. */
    private final Set<String> unopened = ConcurrentHashMap.newKeySet();

    /**
     * Makes a check.
     *
     * @param running names of the nodes that run
     */
    HostPorts(Fleet fleet, Set<String> running) {
        this.fleet = fleet;
        this.running = running;
    }

    /** Checks all hosts, which must have Java. */
    List<Finding> check() {
        Queue<Process> listeners = new ConcurrentLinkedQueue<>();
        try {
            String program = program();
            fleet.each(host -> {
                listen(host, program, listeners);
                return true;
            });
            fleet.each(host -> {
                connect(host, program);
                return true;
            });
        } catch (IOException e) {
            throw new CommandFailure("the ports cannot be checked: " + FailureText.of(e), e);
        } finally {
            end(listeners);
        }
        return List.copyOf(found);
    }

    /** The end of its standard input ends a listener. */
    private static void end(Collection<Process> listeners) {
        for (Process process : listeners) {
            try {
                process.getOutputStream().close();
            } catch (IOException _) {
                process.destroy();                              // the connection is gone, and so is the listener
            }
        }
    }

    private void listen(Host host, String program, Queue<Process> listeners) {
        List<String> words = new ArrayList<>(List.of("probe", host.plan().java(), program, "listen"));
        fleet.deployment().nodes(host.plan()).stream().filter(node -> !running.contains(node.name()))
            .forEach(node -> words.add(node.address()));
        try {
            Path errors = Files.createTempFile("teff-ports", ".err");
            try {
                Process process = host.begin(errors, words.toArray(String[]::new));
                listeners.add(process);
                BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
                for (String line = reader.readLine(); !"done".equals(line); line = reader.readLine()) {
                    if (line == null) {
                        throw new CommandFailure(host.plan().name() + ": the ports cannot be checked: "
                            + Files.readString(errors).strip());
                    }
                    opened(host, List.of(line.split(" ", PARTS)));
                }
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new CommandFailure(host.plan().name() + ": " + FailureText.of(e), e);
        }
    }

    private void opened(Host host, List<String> parts) {
        if (parts.size() == PARTS && parts.get(2).equals("used")) {
            unopened.add(parts.get(1));
            found.add(new Finding(host.plan().name(), true, "the address " + parts.get(1) + " cannot be used: "
                + parts.getLast(), "take another port in [[host]], or end what uses the port: ss -ltnp"));
        }
    }

    private void connect(Host host, String program) {
        List<String> words = new ArrayList<>(List.of("probe", host.plan().java(), program, "connect"));
        fleet.deployment().nodes().stream().filter(node -> !node.host().equals(host.plan())
            && !unopened.contains(node.address())).forEach(node -> words.add(node.address()));
        for (String line : host.run(words.toArray(String[]::new))) {
            List<String> parts = List.of(line.split(" ", PARTS));
            if (parts.size() == PARTS && parts.get(2).equals("no")) {
                found.add(new Finding(host.plan().name(), true, "does not reach " + parts.get(1) + ": "
                    + parts.getLast(), "let the port through the firewall of the other host, and correct its address "
                    + "in [[host]]"));
            }
        }
    }

    /** Returns the class of the program, in base64. */
    private static String program() throws IOException {
        try (InputStream in = Objects.requireNonNull(PortProbe.class.getResourceAsStream("PortProbe.class"))) {
            return Base64.getEncoder().encodeToString(in.readAllBytes());
        }
    }
}
