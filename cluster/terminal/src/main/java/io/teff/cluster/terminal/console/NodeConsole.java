package io.teff.cluster.terminal.console;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.console.Console;
import io.teff.cluster.console.ConsoleSetup;
import io.teff.cluster.terminal.node.NodeExtra;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Starts the console of a node whose configuration asks for a console. */
public final class NodeConsole implements NodeExtra {
    /** Makes the starter. */
    public NodeConsole() {}

    @Override
    public @Nullable Running start(NodeSettings settings, System.Logger log) throws IOException {
        URI address = settings.console();
        if (address == null) {
            return null;
        }
        ClientConfig client = settings.client();
        ClusterAdmin admin = settings.connect();
        Console console = Console.start(new ConsoleSetup(settings.name(), address, client.tls(),
            settings.consoleToken(),
            settings.hasRoles() ? settings::operator : null, admin, new ShellBrowser(settings), log,
            Clock.SYSTEM, Threads.SYSTEM));
        return new Running("console at " + console.address(), console::close);
    }
}
