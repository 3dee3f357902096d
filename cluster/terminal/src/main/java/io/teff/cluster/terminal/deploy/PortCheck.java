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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Checks that the ports of all nodes are free, and that each host reaches the ports of all other hosts. {@link
 * PortProbe} listens at the ports of ended nodes meanwhile; running nodes listen by themselves.
 */
final class PortCheck {
    private final Fleet fleet;
    private final Set<String> running;
    private final List<Finding> found = new ArrayList<>();

    /**
     * Makes a check.
     *
     * @param running names of the nodes that run
     */
    PortCheck(Fleet fleet, Set<String> running) {
        this.fleet = fleet;
        this.running = running;
    }

    /** Checks all hosts, which must have Java. */
    List<Finding> check() {
        Map<Host, Process> listeners = new LinkedHashMap<>();
        try {
            Path errors = Files.createTempFile("teff-ports", ".err");
            try {
                String program = program();
                for (Host host : fleet.hosts()) {
                    listen(host, program, errors, listeners);
                }
                for (Host host : fleet.hosts()) {
                    connect(host, program);
                }
            } finally {
                for (Process process : listeners.values()) {
                    process.getOutputStream().close();          // ends the listener at the host
                }
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new CommandFailure("the ports cannot be checked: " + FailureText.of(e), e);
        }
        return found;
    }

    private void listen(Host host, String program, Path errors, Map<Host, Process> listeners) throws IOException {
        List<String> words = new ArrayList<>(List.of("probe", host.plan().java(), program, "listen"));
        fleet.deployment().nodes(host.plan()).stream().filter(node -> !running.contains(node.name()))
            .forEach(node -> words.add(node.address()));
        Process process = host.begin(errors, words.toArray(String[]::new));
        listeners.put(host, process);
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        for (String line = reader.readLine(); !"done".equals(line); line = reader.readLine()) {
            if (line == null) {
                throw new IOException(host.plan().name() + ": " + Files.readString(errors).strip());
            }
            List<String> parts = List.of(line.split(" ", 4));
            if (parts.size() > 2 && parts.get(2).equals("used")) {
                found.add(new Finding(host.plan().name(), true, "the address " + parts.get(1) + " cannot be used: "
                    + parts.getLast(), "take another port in [[host]], or end what uses the port: ss -ltnp"));
            }
        }
    }

    private void connect(Host host, String program) {
        List<String> words = new ArrayList<>(List.of("probe", host.plan().java(), program, "connect"));
        fleet.deployment().nodes().stream().filter(node -> !node.host().equals(host.plan()))
            .forEach(node -> words.add(node.address()));
        for (String line : host.run(words.toArray(String[]::new))) {
            List<String> parts = List.of(line.split(" ", 4));
            if (parts.size() > 2 && parts.get(2).equals("no") && found.stream().noneMatch(it -> it.text().contains(
                    " " + parts.get(1) + " "))) {
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
