package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.engine.NamedRoot.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code map}: hash maps, by the descriptions of their codecs. */
@Command(
    name = "map",
    description = {"Reads and changes hash maps, without the classes of their programs.",
        "Keys and values are numbers, texts, booleans or constants; 0x and hexadecimal digits are the bytes of any "
            + "other value. Records are shown as JSON."},
    footerHeading = "%nExamples:%n",
    footer = {"  map get accounts me", "  map put counts index 41", "  map scan accounts 10"},
    sortOptions = false)
final class MapTasks extends TaskGroup {
    private static final String MAP = "Name of the map.";
    private static final String KEY = "The key.";

    @Command(name = "get", description = "Shows the value of a key.", sortOptions = false)
    int get(@Mixin Show show, @Parameters(index = "0", paramLabel = "MAP", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key) {
        Opened map = Opened.of(store(), name, Kind.MAP);
        byte[] value = map.map().get(map.keys().bytes(key));
        if (value == null) {
            throw absent(name, key);
        }
        Object shown = map.values().shown(value);
        return show.print(Opened.entry(key, shown), Json.text(shown));
    }

    static CommandFailure absent(String name, String key) {
        return new CommandFailure(name + " has no key " + key);
    }

    @Command(name = "put", description = "Sets the value of a key, and shows the value before.", sortOptions = false)
    int put(@Mixin Show show, @Parameters(index = "0", paramLabel = "MAP", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key,
        @Parameters(index = "2", paramLabel = "VALUE", description = "The value.") String value) {
        Opened map = Opened.of(store(), name, Kind.MAP);
        byte[] before = map.map().put(map.keys().bytes(key), map.values().bytes(value));
        Object shown = before == null ? null : map.values().shown(before);
        return show.print(change(key, shown), before == null ? "added" : "before: " + Json.text(shown));
    }

    static Map<String, @Nullable Object> change(String key, @Nullable Object before) {
        Map<String, @Nullable Object> change = new LinkedHashMap<>();
        change.put("key", key);
        change.put("before", before);
        return change;
    }

    @Command(name = "remove", description = "Removes a key, and shows its value.", sortOptions = false)
    int remove(@Mixin Show show, @Mixin Yes yes,
        @Parameters(index = "0", paramLabel = "MAP", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key) {
        Opened map = Opened.of(store(), name, Kind.MAP);
        yes.ask("remove the key " + key + " of " + name);
        byte[] before = map.map().remove(map.keys().bytes(key));
        if (before == null) {
            throw absent(name, key);
        }
        Object shown = map.values().shown(before);
        return show.print(change(key, shown), "removed: " + Json.text(shown));
    }

    @Command(name = "scan", description = "Shows entries, in any order.", sortOptions = false)
    int scan(@Mixin Show show, @Parameters(index = "0", paramLabel = "MAP", description = MAP) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "N", defaultValue = "20",
            description = "At most so many. Default: ${DEFAULT-VALUE}.") int limit) {
        Opened map = Opened.of(store(), name, Kind.MAP);
        List<Map<String, Object>> entries = new ArrayList<>();
        TextTable table = new TextTable("KEY", "VALUE");
        Iterator<Map.Entry<byte[], byte[]>> all = map.map().entrySet().iterator();
        while (entries.size() < limit && !session().isInterrupted() && all.hasNext()) {
            Map.Entry<byte[], byte[]> next = all.next();
            Object key = map.keys().shown(next.getKey());
            Object value = map.values().shown(next.getValue());
            entries.add(Opened.entry(key, value));
            table.row(Json.text(key), Json.text(value));
        }
        return show.print(entries, table);
    }
}
