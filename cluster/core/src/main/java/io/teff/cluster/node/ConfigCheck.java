package io.teff.cluster.node;

import io.teff.cluster.access.AccessControl;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.compute.ClusterJars;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.ByteSize;
import io.teff.cluster.config.Secret;
import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.config.Tls;
import io.teff.cluster.consensus.SnapshotBound;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneWidth;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.node.NodeConfig.ConsolePart;
import io.teff.cluster.node.NodeConfig.PeerPart;
import io.teff.cluster.node.NodeConfig.SuperpeerPart;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the values of one configuration, and collects every fault. Used once. */
final class ConfigCheck {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern RACK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}");
    /** The scatter width of a new cluster: decision 0082 has the figures. */
    private static final int SCATTER_WIDTH = 20;
    private static final Address NOWHERE = new Address("127.0.0.1", 1);

    private final Map<NodeOption, OptionValue> values;
    private final String source;
    private final List<String> faults = new ArrayList<>();

    ConfigCheck(Map<NodeOption, OptionValue> values, String source) {
        this.values = values;
        this.source = source;
    }

    NodeConfig check() throws ConfigException {
        for (NodeOption option : NodeOption.values()) {
            if (option.isRequired() && !values.containsKey(option)) {
                faults.add(source + ": " + option.key() + " is missing; allowed: " + option.allowed());
            }
        }
        NodeRole role = role();
        String name = name(role.text());
        Path folder = path(NodeOption.FOLDER, Path.of(""));
        Address listen = address(NodeOption.LISTEN);
        List<Address> superpeers = addresses(NodeOption.SUPERPEERS);
        if (values.containsKey(NodeOption.SUPERPEERS) && !superpeers.isEmpty()
            && superpeers.size() > Settings.SUPERPEERS_MAX) {
            fault(NodeOption.SUPERPEERS, "has " + superpeers.size() + " addresses");
        }
        AccessControl access = access();
        if (!listen.isLoopback() && !values.containsKey(NodeOption.SECRET_FILE)) {
            fault(NodeOption.LISTEN, "other machines reach " + listen + ", so " + NodeOption.SECRET_FILE.key()
                + " is needed: openssl rand -out secret 32 && chmod 600 secret makes one for all nodes and clients; or "
                + "listen at 127.0.0.1");
        }
        String superpeerName = text(NodeOption.TLS_SUPERPEER_NAME);
        Tls tls = new TlsCheck(values, this::path, this::fault).check(superpeerName, role,
            Stream.concat(superpeers.stream(), Stream.of(listen)).toList());
        if (values.containsKey(NodeOption.TLS_KEY) && !listen.isTcp() && !listen.isLoopback()) {
            fault(NodeOption.LISTEN, "TLS is asked for, and links to " + listen + " have none");
        }
        long leaseMs = number(NodeOption.LEASE_MS, 1_000, 10, 600_000);
        LeaseTerms lease = new LeaseTerms(TimeUnit.MILLISECONDS.toNanos(leaseMs),
            (int) number(NodeOption.DRIFT, 10, 0, 100));
        SuperpeerPart superpeer = superpeer(role, listen, superpeers);
        long ring = size(NodeOption.RING, "32m", "8m", "1g");
        if (Long.bitCount(ring) != 1) {
            fault(NodeOption.RING, ring + " bytes are no power of two");
        }
        PeerPart peer = new PeerPart(size(NodeOption.MEMORY, "1g", "64m", "16t"), ring,
            size(NodeOption.COPY_RATE, "16t", "64k", "16t"), jars(), rack());
        NodeConfig config = new NodeConfig(role, name, folder, listen, reachable(role, listen),
            path(NodeOption.LOG, folder.resolve("node.log")), superpeers, cluster(), access, tls,
            superpeerName == null ? "" : superpeerName, lease, console(), superpeer, peer);
        if (!faults.isEmpty()) {
            throw new ConfigException(faults);
        }
        return config;
    }

    /** Returns the address at which other nodes find the node. */
    private Address reachable(NodeRole role, Address listen) {
        if (!values.containsKey(NodeOption.ADDRESS)) {
            if (role == NodeRole.PEER && listen.isWildcard()) {
                fault(NodeOption.LISTEN, "no other node finds " + listen + ", so " + NodeOption.ADDRESS.key()
                    + " is needed");
            }
            return listen;
        }
        Address address = address(NodeOption.ADDRESS);
        if (address.isWildcard()) {
            fault(NodeOption.ADDRESS, "no other node finds " + address);
        }
        return address;
    }

    private SuperpeerPart superpeer(NodeRole role, Address listen, List<Address> superpeers) {
        int backups = (int) number(NodeOption.BACKUPS, 2, 1, 4);
        long snapshotCommands = number(NodeOption.SNAPSHOT_COMMANDS, SnapshotBound.COMMANDS, 100, 10_000_000);
        int width = (int) number(NodeOption.SCATTER_WIDTH, SCATTER_WIDTH, 0, ZoneWidth.WIDTH_MAX);
        return new SuperpeerPart(role == NodeRole.SUPERPEER ? number(listen, superpeers) : 0, backups, width,
            snapshotCommands);
    }

    private int number(Address listen, List<Address> superpeers) {
        if (values.containsKey(NodeOption.NUMBER)) {
            return (int) number(NodeOption.NUMBER, 0, 0, SuperpeerSet.NUMBER_MAX);
        }
        int position = superpeers.indexOf(listen);
        if (position < 0 && values.containsKey(NodeOption.LISTEN) && !superpeers.isEmpty()) {
            fault(NodeOption.LISTEN, listen + " is not in " + NodeOption.SUPERPEERS.key() + " " + superpeers
                + ", and there is no " + NodeOption.NUMBER.key());
        }
        return Math.max(position, 0);
    }

    private void fault(NodeOption option, String what) {
        OptionValue value = values.get(option);
        String place = value == null || value.place().isEmpty() ? source : value.place();
        faults.add(place + ": " + option.key() + ": " + what + "; allowed: " + option.allowed());
    }

    // ---- single values ----

    private @Nullable String text(NodeOption option) {
        OptionValue value = values.get(option);
        if (value == null) {
            return null;
        }
        if (value.values().size() != 1) {
            fault(option, "needs one value, not " + value.values().size());
            return null;
        }
        return value.values().getFirst();
    }

    private NodeRole role() {
        String text = text(NodeOption.ROLE);
        for (NodeRole role : NodeRole.values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        if (text != null) {
            fault(NodeOption.ROLE, "'" + text + "' is no role");
        }
        return NodeRole.PEER;
    }

    private String name(String standard) {
        String text = text(NodeOption.NAME);
        if (text == null) {
            return standard;
        }
        if (!NAME.matcher(text).matches()) {
            fault(NodeOption.NAME, "'" + text + "' is no name");
        }
        return text;
    }

    private String rack() {
        String text = text(NodeOption.RACK);
        if (text == null || text.isEmpty()) {                   // a label that a machine lacks is an empty text
            return "";
        }
        if (!RACK.matcher(text).matches()) {
            fault(NodeOption.RACK, "'" + text + "' is no name of a rack");
            return "";
        }
        return text;
    }

    private String cluster() {
        String text = text(NodeOption.CLUSTER);
        if (text == null) {
            return "";
        }
        if (text.isEmpty() || !ClusterId.isName(text)) {
            fault(NodeOption.CLUSTER, "'" + text + "' is no name of a cluster");
            return "";
        }
        return text;
    }

    private Path path(NodeOption option, Path standard) {
        String text = text(option);
        OptionValue value = values.get(option);
        if (text == null || value == null) {
            return standard.toAbsolutePath().normalize();
        }
        if (text.isBlank() || text.indexOf('\0') >= 0) {
            fault(option, "is empty");
            return standard;
        }
        return value.base().resolve(text).toAbsolutePath().normalize();
    }

    private long number(NodeOption option, long standard, long min, long max) {
        String text = text(option);
        if (text == null) {
            return standard;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
            fault(option, number + " is out of range");
        } catch (NumberFormatException _) {
            fault(option, "'" + text + "' is no whole number");
        }
        return standard;
    }

    private long size(NodeOption option, String standard, String min, String max) {
        String text = text(option);
        long number = ByteSize.parse(text == null ? standard : text);
        if (number < 0) {
            fault(option, "'" + text + "' is no size, such as 512m or 4g");
        } else if (number < ByteSize.parse(min) || number > ByteSize.parse(max)) {
            fault(option, text + " is out of range");
        } else {
            return number;
        }
        return ByteSize.parse(standard);
    }

    private Address address(NodeOption option) {
        String text = text(option);
        if (text == null) {
            return NOWHERE;
        }
        Address address = Address.parse(text);
        if (address == null) {
            fault(option, "'" + text + "' is no address");
            return NOWHERE;
        }
        return address;
    }

    private List<Address> addresses(NodeOption option) {
        OptionValue value = values.get(option);
        List<Address> addresses = new ArrayList<>();
        if (value == null) {
            return addresses;
        }
        for (String text : value.values()) {
            Address address = Address.parse(text);
            if (address == null) {
                fault(option, "'" + text + "' is no address");
                return List.of();
            }
            addresses.add(address);
        }
        if (addresses.isEmpty()) {
            fault(option, "is empty");
        } else if (new HashSet<>(addresses).size() < addresses.size()) {
            fault(option, "names an address twice");
        }
        return addresses;
    }

    private Set<String> jars() {
        OptionValue value = values.get(NodeOption.JARS);
        if (value == null) {
            return Set.of();
        }
        for (String text : value.values()) {
            if (!ClusterJars.isHash(text)) {
                fault(NodeOption.JARS, "'" + text + "' is no SHA-256");
            }
        }
        return Set.copyOf(value.values());
    }

    private ConsolePart console() {
        String text = text(NodeOption.CONSOLE);
        URI address = null;
        if (text != null) {
            String what = ConsoleAddress.fault(text, values.containsKey(NodeOption.TLS_KEY));
            if (what == null) {
                address = URI.create(text);
            } else {
                fault(NodeOption.CONSOLE, what);
            }
        } else if (values.containsKey(NodeOption.CONSOLE_TOKEN_FILE)) {
            fault(NodeOption.CONSOLE_TOKEN_FILE, "there is no " + NodeOption.CONSOLE.key());
        }
        return new ConsolePart(address, secret(NodeOption.CONSOLE_TOKEN_FILE));
    }

    private AccessControl access() {
        SecretFiles none = SecretFiles.of(Secret.NONE);
        boolean hasRoles = values.containsKey(NodeOption.ROLES_FILE);
        if (hasRoles && !values.containsKey(NodeOption.SECRET_FILE)) {
            fault(NodeOption.ROLES_FILE, "roles need " + NodeOption.SECRET_FILE.key() + ", which nodes alone have");
        }
        SecretFiles secret = file(NodeOption.SECRET_FILE, none, SecretFiles::read);
        AccessControl open = AccessControl.open(secret);
        return file(NodeOption.ROLES_FILE, open, file -> AccessControl.read(secret, file, MessageRights::of));
    }

    /** Reads the file of an option. */
    private interface Reading<T> {
        T of(Path file) throws IOException;
    }

    private Secret secret(NodeOption option) {
        return file(option, Secret.NONE, Secret::read);
    }

    private <T> T file(NodeOption option, T none, Reading<T> reading) {
        if (!values.containsKey(option)) {
            return none;
        }
        Path file = path(option, Path.of(""));
        try {
            return reading.of(file);
        } catch (NoSuchFileException _) {
            fault(option, "there is no file " + file);
        } catch (FileSystemException e) {
            fault(option, file + " " + (e.getReason() == null ? "cannot be read" : e.getReason()));
        } catch (IOException e) {
            fault(option, file + " cannot be read: " + FailureText.of(e));
        }
        return none;
    }
}
