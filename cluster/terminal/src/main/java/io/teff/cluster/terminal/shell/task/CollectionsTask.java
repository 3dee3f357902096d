package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.shell.value.Described;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code collections}: the names of collections and chunks. */
@Command(
    name = "collections",
    description = "Lists collections and named chunks, with the kinds of their keys and values.",
    sortOptions = false)
final class CollectionsTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Override
    public Integer call() {
        List<Map<String, Object>> json = new ArrayList<>();
        TextTable table = new TextTable("NAME", "KIND", "KEYS", "VALUES", "ORDER");
        show.session().store().names().all().forEach((name, root) -> {
            json.add(json(name, root));
            table.row(name, KindText.kind(root), root.kind() == NamedRoot.Kind.CHUNK ? Cid.toString(root.cid())
                : text(root.keys()), text(root.values()), root.order().isEmpty() ? "-" : root.order());
        });
        return show.print(json, table);
    }

    private static String text(String description) {
        return description.isEmpty() ? "-" : Described.of(description).excerpt();
    }

    private static Map<String, Object> json(String name, NamedRoot root) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("kind", KindText.kind(root));
        json.put("cid", root.kind() == NamedRoot.Kind.CHUNK ? Cid.toString(root.cid()) : "");
        json.put("keys", root.keys());
        json.put("values", root.values());
        json.put("order", root.order());
        return json;
    }
}
