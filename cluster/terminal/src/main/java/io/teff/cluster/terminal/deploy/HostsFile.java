package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.OptionValue;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * Reads the description of hosts. The tables {@code node}, {@code cluster}, {@code superpeer} and {@code peer} have the
 * keys of a node's configuration file; the table {@code deploy} and the tables {@code host} have keys of their own.
 */
final class HostsFile {
    private static final Set<String> DEPLOY = Set.of("folder", "manager", "java", "ssh-options", "superpeer-heap",
        "peer-heap");
    private static final Set<String> HOST = Set.of("name", "address", "ssh", "ssh-port", "superpeer", "peer", "folder",
        "java", "rack");
    /** The keys of nodes that follow from the hosts. */
    private static final Set<NodeOption> OWN = Set.of(NodeOption.ROLE, NodeOption.NAME, NodeOption.FOLDER,
        NodeOption.LISTEN, NodeOption.ADDRESS, NodeOption.LOG, NodeOption.SUPERPEERS, NodeOption.NUMBER,
        NodeOption.RACK);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,40}");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,252}");
    private static final Pattern SSH = Pattern.compile("([A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.:-]*");
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._/+-]+");
    private static final Pattern RACK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}");
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]{0,6}[mgMG]");
    private static final int SSH_PORT = 22;
    private static final int PORT_MAX = 65_535;

    private final Path file;
    private final TomlParseResult content;
    private final List<String> faults = new ArrayList<>();

    private HostsFile(Path file, TomlParseResult content) {
        this.file = file;
        this.content = content;
    }

    /**
     * Reads and checks a description, with the configurations of all nodes.
     *
     * @throws ConfigException names all faults
     */
    static Deployment load(Path file) throws ConfigException {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new ConfigException(List.of(file + ": cannot be read: " + FailureText.of(e)));
        }
        return new HostsFile(file, Toml.parse(text)).read();
    }

    private Deployment read() throws ConfigException {
        content.errors().forEach(error -> faults.add(place(error.position()) + ": this is no TOML: "
            + FailureText.of(error)));
        end();
        for (String name : content.keySet()) {
            if (!Set.of("deploy", "host", "node", "cluster", "superpeer", "peer").contains(name)) {
                faults.add(at(content, name) + ": there is no such table; allowed: deploy, host, node, cluster, "
                    + "superpeer, peer");
            }
        }
        TomlTable deploy = table("deploy");
        checkKeys(deploy, DEPLOY);
        Manager manager = manager(deploy);
        List<HostPlan> hosts = hosts(deploy);
        end();
        List<NodePlan> nodes = nodes(deploy, hosts);
        end();
        for (NodePlan node : nodes) {
            try {
                node.settings(file.toString());
            } catch (ConfigException e) {
                e.faults().forEach(fault -> faults.add(node.name() + ": " + fault));
            }
        }
        end();
        return new Deployment(file, manager, hosts, nodes);
    }

    private void end() throws ConfigException {
        if (!faults.isEmpty()) {
            throw new ConfigException(faults);
        }
    }

    private static String place(Path file, @Nullable TomlPosition position) {
        return position == null ? file.toString() : file + ":" + position.line();
    }

    private String place(@Nullable TomlPosition position) {
        return place(file, position);
    }

    private String at(TomlTable table, String key) {
        return place(table.inputPositionOf(List.of(key))) + ": " + key;
    }

    private TomlTable table(String name) {
        if (!(content.get(List.of(name)) instanceof TomlTable found)) {
            if (content.keySet().contains(name)) {
                faults.add(at(content, name) + ": is no table");
            }
            return Toml.parse("");
        }
        return found;
    }

    private void checkKeys(TomlTable table, Set<String> allowed) {
        for (String key : table.keySet()) {
            if (!allowed.contains(key)) {
                faults.add(at(table, key) + ": there is no such key; allowed: "
                    + String.join(", ", new TreeSet<>(allowed)));
            }
        }
    }

    /** Returns a text of a table, or the default with a fault. */
    private String text(TomlTable table, String key, String standard, Pattern form) {
        Object value = table.get(List.of(key));
        if (value == null) {
            return standard;
        }
        if (value instanceof String text && form.matcher(text).matches()) {
            return text;
        }
        faults.add(at(table, key) + ": '" + value + "' is not allowed; allowed: a text of the form " + form);
        return standard;
    }

    private int port(TomlTable table, String key, int standard) {
        Object value = table.get(List.of(key));
        if (value == null) {
            return standard;
        }
        if (value instanceof Long number && number > 0 && number <= PORT_MAX) {
            return number.intValue();
        }
        faults.add(at(table, key) + ": '" + value + "' is no port; allowed: 1 to " + PORT_MAX);
        return standard;
    }

    private Manager manager(TomlTable deploy) {
        Object value = deploy.get(List.of("manager"));
        for (Manager manager : Manager.values()) {
            if (value == null || manager.text().equals(value)) {
                return manager;                                 // the first value is the default
            }
        }
        faults.add(at(deploy, "manager") + ": '" + value + "' is not allowed; allowed: auto, systemd, setsid");
        return Manager.AUTO;
    }

    // ---- hosts ----

    private List<HostPlan> hosts(TomlTable deploy) {
        List<HostPlan> hosts = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<String> sshOptions = words(deploy, "ssh-options");
        for (TomlTable table : tables()) {
            checkKeys(table, HOST);
            String address = text(table, "address", "", ADDRESS);
            if (address.isEmpty()) {
                faults.add(place(table.inputPositionOf(List.of())) + ": a host has no address");
                continue;
            }
            HostPlan host = new HostPlan(text(table, "name", address.replace(':', '-'), NAME), address,
                text(table, "ssh", address, SSH), port(table, "ssh-port", SSH_PORT), sshOptions,
                text(table, "folder", text(deploy, "folder", "teff", PATH), PATH),
                text(table, "java", text(deploy, "java", "", PATH), PATH));
            hosts.add(host);
            if (!names.add(host.name())) {
                faults.add(at(table, "name") + ": there are two hosts " + host.name());
            }
        }
        if (hosts.isEmpty() && faults.isEmpty()) {
            faults.add(file + ": there is no [[host]]");
        }
        return hosts;
    }

    private List<TomlTable> tables() {
        List<TomlTable> tables = new ArrayList<>();
        if (content.get(List.of("host")) instanceof TomlArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof TomlTable table) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private List<String> words(TomlTable table, String key) {
        List<String> words = new ArrayList<>();
        if (table.get(List.of(key)) instanceof TomlArray array) {
            for (int i = 0; i < array.size(); i++) {
                words.add(String.valueOf(array.get(i)));
            }
        } else if (table.keySet().contains(key)) {
            faults.add(at(table, key) + ": is no list of texts");
        }
        return words;
    }

    // ---- nodes ----

    private List<NodePlan> nodes(TomlTable deploy, List<HostPlan> hosts) {
        Map<NodeOption, OptionValue> common = options("node", "cluster");
        List<NodePlan> nodes = new ArrayList<>();
        List<TomlTable> tables = tables();
        List<String> superpeers = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
            int port = port(tables.get(i), "superpeer", 0);
            if (port != 0) {
                superpeers.add(NodePlan.address(hosts.get(i), port));
            }
        }
        for (NodeRole role : List.of(NodeRole.SUPERPEER, NodeRole.PEER)) {
            Map<NodeOption, OptionValue> more = options(role.text());
            String heap = text(deploy, role.text() + "-heap", role == NodeRole.PEER ? "512m" : "128m", HEAP);
            for (int i = 0; i < tables.size(); i++) {
                HostPlan host = hosts.get(i);
                int port = port(tables.get(i), role.text(), 0);
                if (port != 0) {
                    Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
                    common.forEach((option, value) -> values.put(option, of(value, host)));
                    more.forEach((option, value) -> values.put(option, of(value, host)));
                    if (role == NodeRole.PEER) {                // two consoles of a host would have one port
                        values.remove(NodeOption.CONSOLE);
                        values.remove(NodeOption.CONSOLE_TOKEN_FILE);
                    }
                    String name = role.text() + "-" + host.name();
                    values.put(NodeOption.ROLE, OptionValue.of(role.text()));
                    values.put(NodeOption.NAME, OptionValue.of(name));
                    values.put(NodeOption.FOLDER, OptionValue.of("data"));
                    String rack = role == NodeRole.PEER ? text(tables.get(i), "rack", "", RACK) : "";
                    if (!rack.isEmpty()) {
                        values.put(NodeOption.RACK, OptionValue.of(rack));
                    }
                    values.put(NodeOption.LISTEN, OptionValue.of(NodePlan.address(host, port)));
                    values.put(NodeOption.SUPERPEERS, OptionValue.of(superpeers.toArray(String[]::new)));
                    nodes.add(new NodePlan(name, host, role, port, heap, values));
                }
            }
        }
        if (superpeers.isEmpty()) {
            faults.add(file + ": no host has a superpeer; 1, 3 or 5 hosts need superpeer = PORT");
        }
        return nodes;
    }

    /** Returns a value with the host's name and address in the place of {host} and {address}. */
    private static OptionValue of(OptionValue value, HostPlan host) {
        return new OptionValue(value.values().stream().map(text -> text.replace("{host}", host.name())
            .replace("{address}", host.address())).toList(), value.place(), value.base());
    }

    private Map<NodeOption, OptionValue> options(String... tables) {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        Path base = file.toAbsolutePath().getParent();
        for (String name : tables) {
            TomlTable table = table(name);
            for (String key : table.keySet()) {
                NodeOption option = NodeOption.ofKey(name + "." + key);
                if (option == null || OWN.contains(option)) {
                    faults.add(at(table, key) + ": " + (option == null ? "there is no such key in [" + name
                        + "]; ./teff node --help lists the keys" : "follows from the hosts, and is not set here"));
                    continue;
                }
                List<String> texts = table.get(List.of(key)) instanceof TomlArray ? words(table, key)
                    : List.of(String.valueOf(table.get(List.of(key))));
                values.put(option, new OptionValue(texts, at(table, key), base == null ? Path.of("") : base));
            }
        }
        return values;
    }
}
