package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.service.ClusterNames;
import io.teff.cluster.service.ClusterNames.Entry;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.BytesText;
import io.teff.cluster.terminal.shell.value.TextTable;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code names}: names with values, of the services of the cluster. */
@Command(
    name = "names",
    description = {"Lists, sets and removes names with values, which all processes see.",
        "A value is a text, or 0x and hexadecimal digits."},
    footerHeading = "%nExamples:%n",
    footer = {"  names register config/limit 40", "  names list config/", "  names remove config/limit"},
    sortOptions = false)
final class NamesTasks extends TaskGroup {
    private static final String NAME = "The name.";

    @Command(name = "list", description = "Lists names with their values and versions.", sortOptions = false)
    int list(@Mixin Show show, @Option(names = "--limit", paramLabel = "N", defaultValue = "100",
        description = "At most so many. Default: ${DEFAULT-VALUE}.") int limit, @Parameters(arity = "0..1",
        paramLabel = "PREFIX", defaultValue = "", description = "Names that begin so; by default all.") String prefix) {
        ClusterNames names = store().services().names();
        List<Map<String, Object>> json = new ArrayList<>();
        TextTable table = new TextTable("NAME", "VALUE", "VERSION", "ENDS");
        String after = "";
        boolean isLast = limit <= 0;
        while (!isLast) {
            ClusterNames.Page page = names.list(prefix, after);
            for (Entry entry : page.entries()) {
                if (json.size() < limit) {
                    json.add(json(entry));
                    table.row(entry.name(), BytesText.of(entry.value()), entry.version(), end(entry));
                }
                after = entry.name();
            }
            isLast = page.isLast() || json.size() >= limit || session().isInterrupted();
        }
        return show.print(json, table);
    }

    private static String end(Entry entry) {
        return entry.isBound() ? "with its session" : entry.isTemporary() ? "by its time" : "-";
    }

    private static Map<String, Object> json(Entry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", entry.name());
        json.put("value", BytesText.of(entry.value()));
        json.put("hex", HexFormat.of().formatHex(entry.value()));
        json.put("version", entry.version());
        json.put("bound", entry.isBound());
        json.put("temporary", entry.isTemporary());
        return json;
    }

    @Command(name = "get", description = "Shows the value of a name.", sortOptions = false)
    int get(@Mixin Show show, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        Entry entry = store().services().names().get(name).orElseThrow(() -> absent(name));
        return show.print(json(entry), BytesText.of(entry.value()));
    }

    private static CommandFailure absent(String name) {
        return new CommandFailure("there is no name " + name);
    }

    @Command(name = "register", description = "Sets the value of a name, and shows the version.", sortOptions = false)
    int register(@Mixin Show show, @Option(names = "--for", paramLabel = "SECONDS", defaultValue = "0",
        description = "Remove the name after this time, unless it is set again.") double seconds,
        @Option(names = "--new", description = "Fail if the name exists.") boolean isNew,
        @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = "The value.") String value) {
        ClusterNames names = store().services().names();
        if (isNew && seconds > 0) {
            throw wrong("--new and --for exclude each other");
        }
        long version = isNew ? names.putIf(name, BytesText.bytes(value), ClusterNames.ABSENT)
            : seconds > 0 ? names.putFor(name, BytesText.bytes(value), ns(seconds))
            : names.put(name, BytesText.bytes(value));
        if (version < 0) {
            throw new CommandFailure("the name " + name + " exists");
        }
        return show.print(Map.of("name", name, "version", version), "version " + version);
    }

    @Command(name = "remove", description = "Removes a name.", sortOptions = false)
    int remove(@Mixin Show show, @Mixin Yes yes, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        yes.ask("remove the name " + name);
        if (!store().services().names().remove(name)) {
            throw absent(name);
        }
        return show.print(Map.of("removed", name), "removed " + name);
    }
}
