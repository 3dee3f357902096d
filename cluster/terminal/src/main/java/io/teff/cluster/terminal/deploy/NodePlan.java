package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.config.NodeFile;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of a deployment.
 *
 * @param name name of the node, unique in the deployment
 * @param host the host of the node
 * @param role role of the node
 * @param port where the node listens
 * @param heap Java heap of the node, as an option of a JVM, such as {@code 256m}
 * @param values values of the node's configuration; files are files of this machine
 */
record NodePlan(String name, HostPlan host, NodeRole role, int port, String heap, Map<NodeOption, OptionValue> values) {
    private static final String DATA = "data";
    private static final String LOG = "node.log";

    NodePlan {
        Map<NodeOption, OptionValue> copy = new EnumMap<>(NodeOption.class);
        copy.putAll(values);
        values = copy;
    }

    /** Returns the address of the node. */
    String address() {
        return address(host, port);
    }

    static String address(HostPlan host, int port) {
        return (host.address().contains(":") ? "[" + host.address() + "]" : host.address()) + ":" + port;
    }

    boolean isSuperpeer() {
        return role == NodeRole.SUPERPEER;
    }

    /** Returns the checked configuration, with the files of this machine. */
    NodeSettings settings(String source) throws ConfigException {
        return NodeSettings.of(values, source);
    }

    /** Returns the text of the configuration file, with files beside it. */
    String text() {
        Map<NodeOption, List<String>> texts = new EnumMap<>(NodeOption.class);
        values.forEach((option, value) -> texts.put(option, value.values()));
        files().forEach((name, _) -> texts.put(option(name), List.of(name)));
        texts.put(NodeOption.FOLDER, List.of(DATA));
        texts.put(NodeOption.LOG, List.of(LOG));
        return NodeFile.write(texts);
    }

    /** Returns the files that the configuration names, by their names at the host. */
    Map<String, Path> files() {
        Map<String, Path> files = new LinkedHashMap<>();
        values.forEach((option, value) -> {
            if (isFile(option)) {
                files.put(fileName(option), value.base().resolve(value.text()));
            }
        });
        return files;
    }

    private static boolean isFile(NodeOption option) {
        return option.kind() == NodeOption.Kind.PATH && option != NodeOption.FOLDER && option != NodeOption.LOG;
    }

    private static String fileName(NodeOption option) {
        return option.key().substring(option.key().indexOf('.') + 1);
    }

    private static NodeOption option(String fileName) {
        for (NodeOption option : NodeOption.values()) {
            if (isFile(option) && fileName(option).equals(fileName)) {
                return option;
            }
        }
        throw new AssertionError(fileName);
    }
}
