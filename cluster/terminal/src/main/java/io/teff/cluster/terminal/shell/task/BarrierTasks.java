package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.BytesText;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code barrier}: barriers by name. */
@Command(
    name = "barrier",
    description = "Waits at barriers by name, together with other processes.",
    footerHeading = "%nExample:%n",
    footer = "  barrier wait begin 3 --timeout 60",
    sortOptions = false)
final class BarrierTasks extends TaskGroup {
    @Command(name = "wait", description = "Waits until all parties wait, and shows their values.", sortOptions = false)
    int await(@Mixin Show show, @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "30",
        description = "Longest wait. Default: ${DEFAULT-VALUE}.") double seconds,
        @Option(names = "--value", paramLabel = "VALUE", defaultValue = "", description = "What all parties receive.")
        String value, @Parameters(index = "0", paramLabel = "NAME", description = "The name.") String name,
        @Parameters(index = "1", paramLabel = "N", description = "Number of parties; all name the same.") int parties) {
        List<byte[]> values = store().services().barrier(name, parties).await(BytesText.bytes(value), ns(seconds))
            .orElseThrow(() -> new CommandFailure("the others have not come to the barrier " + name + " in time"));
        List<String> shown = values.stream().map(BytesText::of).toList();
        return show.print(Map.of("values", shown), parties + " parties" + (shown.stream().allMatch(String::isEmpty) ? ""
            : ": " + String.join(", ", shown)));
    }
}
