package io.teff.cluster.terminal.shell.task;

import io.teff.engine.NamedRoot.Kind;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code set}: sets, by the descriptions of their codecs. */
@Command(
    name = "set",
    description = {"Reads and changes sets, without the classes of their programs.",
        "Elements are as keys of the command map."},
    footerHeading = "%nExamples:%n",
    footer = {"  set contains seen page-7", "  set scan seen 10"},
    sortOptions = false)
final class SetTasks extends TaskGroup {
    private static final String SET = "Name of the set.";
    private static final String ELEMENT = "The element.";

    @Command(name = "contains", description = "Shows whether a set has an element.", sortOptions = false)
    int contains(@Mixin Show show, @Parameters(index = "0", paramLabel = "SET", description = SET) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = ELEMENT) String value) {
        Opened set = Opened.of(store(), name, Kind.SET);
        boolean isIn = set.set().contains(set.keys().bytes(value));
        return show.print(Map.of("contains", isIn), isIn ? "yes" : "no");
    }

    @Command(name = "add", description = "Adds an element.", sortOptions = false)
    int add(@Mixin Show show, @Parameters(index = "0", paramLabel = "SET", description = SET) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = ELEMENT) String value) {
        Opened set = Opened.of(store(), name, Kind.SET);
        boolean isAdded = set.set().add(set.keys().bytes(value));
        return show.print(Map.of("added", isAdded), isAdded ? "added" : "the set has it already");
    }

    @Command(name = "remove", description = "Removes an element.", sortOptions = false)
    int remove(@Mixin Show show, @Mixin Yes yes,
        @Parameters(index = "0", paramLabel = "SET", description = SET) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = ELEMENT) String value) {
        Opened set = Opened.of(store(), name, Kind.SET);
        yes.ask("remove " + value + " of " + name);
        if (!set.set().remove(set.keys().bytes(value))) {
            throw MapTasks.absent(name, value);
        }
        return show.print(Map.of("removed", true), "removed");
    }

    @Command(name = "scan", description = "Shows elements, in any order.", sortOptions = false)
    int scan(@Mixin Show show, @Parameters(index = "0", paramLabel = "SET", description = SET) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "N", defaultValue = "20",
            description = "At most so many. Default: ${DEFAULT-VALUE}.") int count) {
        Opened set = Opened.of(store(), name, Kind.SET);
        List<Object> shown = QueueTasks.shown(set.set().iterator(), set.keys(), count, session());
        return show.print(shown, shown.isEmpty() ? name + " is empty" : QueueTasks.lines(shown));
    }
}
