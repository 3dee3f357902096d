package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.engine.NamedRoot.Kind;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code list}: lists, by the descriptions of their codecs. */
@Command(
    name = "list",
    description = {"Reads and changes lists, without the classes of their programs.",
        "Elements are as values of the command map."},
    footerHeading = "%nExamples:%n",
    footer = {"  list get stops 0", "  list scan stops 10", "  list add stops Alexanderplatz"},
    sortOptions = false)
final class ListTasks extends TaskGroup {
    private static final String LIST = "Name of the list.";

    @Command(name = "get", description = "Shows an element.", sortOptions = false)
    int get(@Mixin Show show, @Parameters(index = "0", paramLabel = "LIST", description = LIST) String name,
        @Parameters(index = "1", paramLabel = "INDEX", description = "Index of the element, from 0.") long index) {
        Opened list = Opened.of(store(), name, Kind.LIST);
        try {
            Object shown = list.keys().shown(list.list().getAt(index));
            return show.print(shown, Json.text(shown));
        } catch (IndexOutOfBoundsException e) {
            throw new CommandFailure(name + " has no element " + index, e);
        }
    }

    @Command(name = "size", description = "Shows the number of elements.", sortOptions = false)
    int size(@Mixin Show show, @Parameters(paramLabel = "LIST", description = LIST) String name) {
        long size = Opened.of(store(), name, Kind.LIST).list().longSize();
        return show.print(Map.of("size", size), String.valueOf(size));
    }

    @Command(name = "scan", description = "Shows the first elements.", sortOptions = false)
    int scan(@Mixin Show show, @Parameters(index = "0", paramLabel = "LIST", description = LIST) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "N", defaultValue = "20",
            description = "At most so many. Default: ${DEFAULT-VALUE}.") int count) {
        Opened list = Opened.of(store(), name, Kind.LIST);
        List<Object> shown = QueueTasks.shown(list.list().iterator(), list.keys(), count, session());
        return show.print(shown, shown.isEmpty() ? name + " is empty" : QueueTasks.lines(shown));
    }

    @Command(name = "add", description = "Adds an element at the end.", sortOptions = false)
    int add(@Mixin Show show, @Parameters(index = "0", paramLabel = "LIST", description = LIST) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = "The element.") String value) {
        Opened list = Opened.of(store(), name, Kind.LIST);
        list.list().add(list.keys().bytes(value));
        return show.print(Map.of("added", true), "added");
    }
}
