package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.cluster.terminal.status.NodeList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code zone}: a zone with all its copies. */
@Command(
    name = "zone",
    description = "Shows the owner, the backups and all other copies of a zone.",
    footerHeading = "%nExample:%n",
    footer = "  zone 5",
    sortOptions = false)
final class ZoneTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Parameters(paramLabel = "ZONE", description = "Number of the zone, the first number of the CIDs in it.")
    private int number;

    @Override
    public Integer call() {
        NodeList nodes = show.session().nodes();
        ZoneStatus zone = nodes.cluster().zone(number);
        if (zone == null) {
            throw new CommandFailure("there is no zone " + number);
        }
        Map<String, @Nullable Object> json = new LinkedHashMap<>(ZonesTask.json(zone, nodes));
        json.put("kept", ZonesTask.copies(zone.kept(), nodes));
        json.put("outdated", ZonesTask.copies(zone.outdated(), nodes));
        json.put("usedUp", zone.isUsedUp());
        json.put("waiting", zone.isWaiting());
        json.put("obstacle", zone.obstacle());
        Map<String, @Nullable Object> lines = new LinkedHashMap<>(json);
        List.of("backups", "kept", "outdated").forEach(lines::remove);
        TextTable copies = new TextTable("COPY", "NODE", "NUMBER", "LIFE", "DOUBT");
        add(copies, "backup", zone.backups(), nodes);
        add(copies, "kept", zone.kept(), nodes);
        add(copies, "outdated", zone.outdated(), nodes);
        return show.print(json, Json.lines(lines) + "\n" + copies);
    }

    private static void add(TextTable table, String kind, List<ZoneStatus.Copy> copies, NodeList nodes) {
        copies.forEach(copy -> table.row(kind, nodes.name(copy.node().nid()), copy.copy(), copy.node(),
            copy.isDoubtful() ? "doubtful" : copy.isCut() ? "cut" : "-"));
    }
}
