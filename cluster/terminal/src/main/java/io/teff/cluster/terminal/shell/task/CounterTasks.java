package io.teff.cluster.terminal.shell.task;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code counter}: counters by name. */
@Command(
    name = "counter",
    description = "Reads and changes counters by name.",
    footerHeading = "%nExamples:%n",
    footer = {"  counter add visits 1", "  counter add visits -- -5", "  counter get visits"},
    sortOptions = false)
final class CounterTasks extends TaskGroup {
    private static final String NAME = "The name.";

    @Command(name = "get", description = "Shows the number.", sortOptions = false)
    int get(@Mixin Show show, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        long number = store().services().counter(name).get();
        return show.print(Map.of("name", name, "number", number), String.valueOf(number));
    }

    @Command(name = "add", description = "Adds to the number, and shows the sum.", sortOptions = false)
    int add(@Mixin Show show, @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "N", defaultValue = "1",
            description = "The summand. Default: ${DEFAULT-VALUE}.") long delta) {
        long number = store().services().counter(name).getAndAdd(delta) + delta;
        return show.print(Map.of("name", name, "number", number), String.valueOf(number));
    }
}
