package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.collect.ChunkSortedMap;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code sorted}: sorted maps, by the descriptions of their codecs. */
@Command(
    name = "sorted",
    description = {"Reads and changes sorted maps, without the classes of their programs.",
        "Keys and values are as of the command map."},
    footerHeading = "%nExamples:%n",
    footer = {"  sorted get orders 4711", "  sorted range orders --from 4000 --to 5000 --limit 5",
        "  sorted range orders --reverse --limit 1"},
    sortOptions = false)
final class SortedTasks extends TaskGroup {
    private static final String MAP = "Name of the sorted map.";
    private static final String KEY = "The key.";

    @Command(name = "get", description = "Shows the value of a key.", sortOptions = false)
    int get(@Mixin Show show, @Parameters(index = "0", paramLabel = "SORTED", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key) {
        Opened map = Opened.of(store(), name, Kind.SORTED_MAP);
        byte[] value = map.sorted().get(map.sortedKey(key));
        if (value == null) {
            throw MapTasks.absent(name, key);
        }
        Object shown = map.values().shown(value);
        return show.print(Opened.entry(key, shown), Json.text(shown));
    }

    @Command(name = "put", description = "Sets the value of a key, and shows the value before.", sortOptions = false)
    int put(@Mixin Show show, @Parameters(index = "0", paramLabel = "SORTED", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key,
        @Parameters(index = "2", paramLabel = "VALUE", description = "The value.") String value) {
        Opened map = Opened.of(store(), name, Kind.SORTED_MAP);
        byte[] before = map.sorted().put(map.sortedKey(key), map.values().bytes(value));
        Object shown = before == null ? null : map.values().shown(before);
        return show.print(MapTasks.change(key, shown), before == null ? "added" : "before: " + Json.text(shown));
    }

    @Command(name = "remove", description = "Removes a key, and shows its value.", sortOptions = false)
    int remove(@Mixin Show show, @Mixin Yes yes,
        @Parameters(index = "0", paramLabel = "SORTED", description = MAP) String name,
        @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key) {
        Opened map = Opened.of(store(), name, Kind.SORTED_MAP);
        yes.ask("remove the key " + key + " of " + name);
        byte[] before = map.sorted().remove(map.sortedKey(key));
        if (before == null) {
            throw MapTasks.absent(name, key);
        }
        Object shown = map.values().shown(before);
        return show.print(MapTasks.change(key, shown), "removed: " + Json.text(shown));
    }

    @Command(name = "range", description = "Shows entries in the order of their keys.", sortOptions = false)
    int range(@Mixin Show show, @Parameters(index = "0", paramLabel = "SORTED", description = MAP) String name,
        @Option(names = "--from", paramLabel = "KEY", description = "From this key on.") @Nullable String from,
        @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, which is included.")
        @Nullable String to, @Option(names = "--reverse", description = "From the last key to the first.")
        boolean isReverse, @Option(names = "--limit", paramLabel = "N", defaultValue = "20",
        description = "At most so many. Default: ${DEFAULT-VALUE}.") int limit) {
        Opened map = Opened.of(store(), name, Kind.SORTED_MAP);
        ChunkSortedMap<Object, byte[]> sorted = map.sorted();
        NavigableMap<Object, byte[]> part = sorted;
        part = from == null ? part : part.tailMap(map.sortedKey(from), true);
        part = to == null ? part : part.headMap(map.sortedKey(to), true);
        part = isReverse ? part.descendingMap() : part;
        List<Map<String, Object>> entries = new ArrayList<>();
        TextTable table = new TextTable("KEY", "VALUE");
        Iterator<Map.Entry<Object, byte[]>> all = part.entrySet().iterator();
        while (entries.size() < limit && !session().isInterrupted() && all.hasNext()) {
            Map.Entry<Object, byte[]> next = all.next();
            Object key = map.shownKey(next.getKey());
            Object value = map.values().shown(next.getValue());
            entries.add(Opened.entry(key, value));
            table.row(Json.text(key), Json.text(value));
        }
        return show.print(entries, table);
    }
}
