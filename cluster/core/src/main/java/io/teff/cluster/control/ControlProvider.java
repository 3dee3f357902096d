package io.teff.cluster.control;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.AdminProvider;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterRebuild;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.config.Address;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.node.NodeConfig;
import io.teff.cluster.node.PortCheck;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Implements the administration; found by the service loader. */
public final class ControlProvider implements AdminProvider {
    private static final String LOOPBACK = "127.0.0.1";

    private final Platform platform = Platform.SYSTEM;

    /** For the service loader. */
    public ControlProvider() {}

    @Override
    public ClusterAdmin connect(ClientConfig config) throws IOException {
        return new LinkedAdmin(CellLink.find(config, platform), platform.clock(), platform.threads());
    }

    @Override
    public NodeSettings settings(Map<NodeOption, OptionValue> values, String source) throws ConfigException {
        return new CheckedSettings(NodeConfig.of(values, source), platform);
    }

    @Override
    public List<String> portFaults(List<String> listen) {
        List<String> faults = new ArrayList<>();
        listen.forEach(address -> faults.addAll(PortCheck.checkTcp(address(address))));
        return faults;
    }

    private static Address address(String text) {
        Address address = Address.parse(text);
        if (address == null) {
            throw new IllegalArgumentException("\"" + text + "\" is no address");
        }
        return address;
    }

    @Override
    public @Nullable String transportFault(String transport) {
        try {
            Network.open(NetworkConfig.builder(1).listen(transport + ":" + LOOPBACK + ":0").lingerNs(0).build())
                .close();
            return null;
        } catch (IOException e) {
            return FailureText.of(e);
        }
    }

    @Override
    public ClusterRebuild plan(List<NodeSettings> peers, int backups) throws IOException {
        return FolderRebuild.read(peers, backups, platform);
    }
}
