package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.NamedRoot;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code drop}: removes a collection with its entries, or the name of a chunk. */
@Command(
    name = "drop",
    description = "Removes a collection with all its entries, or the name of a chunk.",
    footerHeading = "%nExample:%n",
    footer = "  drop accounts --yes",
    sortOptions = false)
final class DropTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Mixin
    private Yes yes = new Yes();

    @Parameters(paramLabel = "COLLECTION", description = "Name of the collection.")
    private String name = "";

    @Override
    public Integer call() {
        ShellSession session = show.session();
        NamedRoot root = Opened.any(session.store(), name).root();
        yes.ask(root.kind() == NamedRoot.Kind.CHUNK ? "remove the name " + name + "; its chunk stays"
            : "remove the " + KindText.kind(root) + " " + name + " with all its entries");
        if (!session.store().names().drop(name)) {
            throw new CommandFailure(name + " was dropped meanwhile");
        }
        return show.print(Map.of("dropped", name), "dropped " + name);
    }
}
