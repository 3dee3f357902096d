package io.teff.cluster.terminal.shell;

import io.teff.cluster.terminal.shell.task.ShellRoot;
import io.teff.cluster.terminal.shell.task.ShellSession;
import io.teff.cluster.terminal.shell.value.Layout;
import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completes words of a line: commands, options, nodes, zones, names, and the fields of layouts. */
final class Completion {
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(2);

    private final ShellSession session;
    private final CommandLine root;
    private final Map<String, Known> known = new TreeMap<>();

    /** Words of the cluster that were read at some time. */
    private record Known(List<String> words, long ns) {}

    /** Reads words of the cluster. */
    private interface Reader {
        List<String> read();
    }

    Completion(ShellSession session) {
        this.session = session;
        root = ShellRoot.commandLine(session);
    }

    /**
     * Returns what a word may become, in order.
     *
     * @param before the words in front of the word, from the begin of its command on
     * @param word the part of the word in front of the cursor
     */
    List<String> candidates(List<String> before, String word) {
        CommandLine line = root;
        ArgSpec awaited = null;
        int positional = 0;
        for (String each : before) {
            CommandLine next = positional == 0 ? line.getSubcommands().get(each) : null;
            if (awaited != null) {
                awaited = null;                                 // the value of an option
            } else if (next != null) {
                line = next;
            } else if (each.startsWith("-")) {
                OptionSpec option = line.getCommandSpec().findOption(each);
                awaited = option == null || option.arity().max() == 0 ? null : option;
            } else {
                positional++;
            }
        }
        boolean takesCommands = List.of("help", "watch").contains(line.getCommandName());
        if (takesCommands && awaited == null && positional >= (line.getCommandName().equals("watch") ? 1 : 0)) {
            int from = before.indexOf(line.getCommandName()) + 1 + (line.getCommandName().equals("watch") ? 1 : 0);
            return candidates(before.subList(from, before.size()), word);
        }
        return matching(awaited != null ? values(awaited.paramLabel(), word)
            : word.startsWith("-") ? options(line) : words(line, positional, word), word);
    }

    private static List<String> matching(List<String> all, String word) {
        return all.stream().filter(each -> each.startsWith(word)).toList();
    }

    private static List<String> options(CommandLine line) {
        return line.getCommandSpec().options().stream().flatMap(option -> Arrays.stream(option.names()))
            .filter(name -> name.startsWith("--")).sorted().toList();
    }

    private List<String> words(CommandLine line, int positional, String word) {
        List<String> words = new ArrayList<>(positional == 0 ? line.getSubcommands().keySet() : List.of());
        for (PositionalParamSpec parameter : line.getCommandSpec().positionalParameters()) {
            if (parameter.index().contains(positional)) {
                words.addAll(values(parameter.paramLabel(), word));
            }
        }
        return words;
    }

    // ---- words of the cluster ----

    private List<String> values(String label, String word) {
        return switch (label) {
            case "LAYOUT" -> layouts(word);
            case "NODE", "SUPERPEER" -> kept("NODE", () -> session.nodes().names());
            case "ZONE" -> kept(label, () -> session.nodes().cluster().zones().stream().map(zone -> String.valueOf(
                zone.zone())).toList());
            case "NAME", "PREFIX" -> kept("NAME", this::names);
            case "CID" -> roots(Kind.CHUNK).stream().map(name -> "@" + name).toList();
            case "MAP" -> roots(Kind.MAP);
            case "SORTED" -> roots(Kind.SORTED_MAP);
            case "SET" -> roots(Kind.SET);
            case "QUEUE" -> roots(Kind.QUEUE);
            case "LIST" -> roots(Kind.LIST);
            case "COLLECTION" -> kept(label, () -> List.copyOf(session.store().names().all().keySet()));
            default -> List.of();
        };
    }

    /** Completes the last type of a layout. */
    private static List<String> layouts(String word) {
        String front = word.substring(0, Math.max(word.lastIndexOf(','), word.lastIndexOf('=')) + 1);
        return Layout.types().stream().map(type -> front + type).toList();
    }

    private List<String> names() {
        return session.store().services().names().list("", "").entries().stream().map(entry -> entry.name()).toList();
    }

    private List<String> roots(Kind kind) {
        return kept(kind.name(), () -> {
            TreeSet<String> names = new TreeSet<>();
            session.store().names().all().forEach((name, root) -> {
                if (root.kind() == kind) {
                    names.add(name);
                }
            });
            return List.copyOf(names);
        });
    }

    /** Reads words, at most once in two seconds. Without the cluster there are none. */
    private List<String> kept(String what, Reader reader) {
        Known before = known.get(what);
        long now = Clock.SYSTEM.nowNs();
        if (before != null && now - before.ns < KEPT_NS) {
            return before.words;
        }
        List<String> words;
        try {
            words = reader.read();
        } catch (RuntimeException _) {
            words = List.of();                                  // a completion is never needed
        }
        known.put(what, new Known(words, now));
        return words;
    }
}
