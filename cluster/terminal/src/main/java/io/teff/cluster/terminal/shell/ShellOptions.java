package io.teff.cluster.terminal.shell;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.FolderOption;
import io.teff.cluster.terminal.option.EntranceOptions;
import io.teff.cluster.terminal.shell.task.Place;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The options that name the cluster of a shell: a folder, or addresses. */
final class ShellOptions {
    @Mixin
    private FolderOption folder = new FolderOption();

    @Mixin
    private EntranceOptions entrance = new EntranceOptions();

    /** Returns the cluster; throws if the folder has none. */
    Place place(CommandSpec spec, List<String> addresses) {
        if (!addresses.isEmpty()) {
            entrance.add(addresses);
        }
        return entrance.isElsewhere() ? new Elsewhere(spec, entrance) : new Local(folder.open());
    }

    /** A cluster in a folder of this machine. */
    private record Local(ClusterFolder folder) implements Place {
        @Override
        public Map<String, String> options() {
            return Map.of("--dir", folder.path().toString());
        }

        @Override
        public ClusterAdmin connectAdmin() throws IOException {
            return folder.entrance().connect();
        }

        @Override
        public ClusterStore connectStore() {
            return ClusterStore.connect(folder.entrance().client());
        }
    }

    /** A cluster with addresses. */
    private record Elsewhere(CommandSpec spec, EntranceOptions entrance) implements Place {
        @Override
        public @Nullable ClusterFolder folder() {
            return null;
        }

        @Override
        public Map<String, String> options() {
            return new LinkedHashMap<>(entrance.given());
        }

        @Override
        public ClusterAdmin connectAdmin() throws IOException {
            return entrance.connect(spec);
        }

        @Override
        public ClusterStore connectStore() throws IOException {
            ClientConfig config = entrance.client(spec);
            return ClusterStore.connect(config);
        }
    }
}
