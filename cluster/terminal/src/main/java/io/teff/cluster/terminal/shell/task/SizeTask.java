package io.teff.cluster.terminal.shell.task;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code size}: the size of a collection of any kind. */
@Command(
    name = "size",
    description = "Shows the number of entries or elements of a collection.",
    footerHeading = "%nExample:%n",
    footer = "  size accounts",
    sortOptions = false)
final class SizeTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Parameters(paramLabel = "COLLECTION", description = "Name of the collection.")
    private String name = "";

    @Override
    public Integer call() {
        long size = Opened.any(show.session().store(), name).collection().longSize();
        return show.print(Map.of("name", name, "size", size), String.valueOf(size));
    }
}
