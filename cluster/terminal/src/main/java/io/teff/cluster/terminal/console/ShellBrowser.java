package io.teff.cluster.terminal.console;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.console.Browser;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.shell.task.Place;
import io.teff.cluster.terminal.shell.task.ShellRoot;
import io.teff.cluster.terminal.shell.task.ShellSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads by commands of the shell that change nothing. The names of the commands are fixed here; what a person has typed
 * is an argument behind {@code --}, or the value of an option, and never a command. For one thread at a time.
 */
final class ShellBrowser implements Browser {
    private static final String JSON = "--json";
    private static final String END_OF_OPTIONS = "--";
    /** The longest wait for a zone that is not served. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final String SORTED = "sorted map";
    /** By kind: the command that lists. */
    private static final Map<String, List<String>> LISTING = Map.of("map", List.of("map", "scan"),
        SORTED, List.of("sorted", "range"), "set", List.of("set", "scan"), "list", List.of("list", "scan"),
        "queue", List.of("queue", "peek"));
    private static final Map<String, String> KEYED = Map.of("map", "map", SORTED, "sorted");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final ShellSession session;

    ShellBrowser(NodeSettings settings) {
        this(new SettingsPlace(settings));
    }

    ShellBrowser(Place place) {
        session = new ShellSession(place, new PrintWriter(out), new PrintWriter(err));
    }

    /** The cluster of a node. */
    private record SettingsPlace(NodeSettings settings) implements Place {
        @Override
        public @Nullable ClusterFolder folder() {
            return null;
        }

        @Override
        public Map<String, String> options() {
            return Map.of();
        }

        @Override
        public ClusterAdmin connectAdmin() throws IOException {
            return settings.connect();
        }

        @Override
        public ClusterStore connectStore() {
            ClientConfig all = settings.client();
            ClientConfig.Builder client = ClientConfig.builder(all.superpeers().toArray(String[]::new))
                .secrets(all::secret).superpeerName(all.superpeerName()).timeoutNs(TIMEOUT_NS);
            SSLContext tls = all.tls();
            return ClusterStore.connect((tls == null ? client : client.tls(tls)).build());
        }
    }

    @Override
    public Answer read(Question question, List<String> words) {
        List<String> command = command(question, words);
        if (command == null) {
            return new Answer(false, "there is no such kind of collection: " + words);
        }
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        int code = ShellRoot.run(session, command);
        return code == 0 ? new Answer(true, out.toString().strip()) : new Answer(false, err.toString().strip());
    }

    private static @Nullable List<String> command(Question question, List<String> words) {
        List<String> command = new ArrayList<>();
        switch (question) {
            case COLLECTIONS -> command.addAll(List.of("collections", JSON));
            case ENTRIES -> {
                List<String> listing = LISTING.get(words.get(1));
                if (listing == null) {
                    return null;
                }
                command.addAll(listing);
                command.add(JSON);
                if (words.get(1).equals(SORTED)) {
                    command.addAll(List.of("--limit=" + words.get(2), END_OF_OPTIONS, words.getFirst()));
                } else {
                    command.addAll(List.of(END_OF_OPTIONS, words.getFirst(), words.get(2)));
                }
            }
            case ENTRY -> {
                String kind = KEYED.get(words.get(1));
                if (kind == null) {
                    return null;
                }
                command.addAll(List.of(kind, "get", JSON, END_OF_OPTIONS, words.getFirst(), words.get(2)));
            }
            case CHUNK -> {
                command.addAll(List.of("chunk", "get", JSON));
                if (words.size() > 1) {
                    command.add("--as=" + words.get(1));
                }
                command.addAll(List.of(END_OF_OPTIONS, words.getFirst()));
            }
        }
        return command;
    }

    @Override
    public void close() {
        session.close();
    }
}
