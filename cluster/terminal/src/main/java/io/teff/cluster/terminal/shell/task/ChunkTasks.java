package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.BytesText;
import io.teff.cluster.terminal.shell.value.HexDump;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.cluster.terminal.shell.value.Layout;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.cluster.terminal.status.NodeList;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code chunk}: chunks by their CIDs. */
@Command(
    name = "chunk",
    description = {"Creates, reads, changes and removes chunks.",
        "CID is ZONE:INDEX as in 16:4711, or @NAME for a chunk with a name. --as names the fields of a chunk: "
            + "--as int,long,utf8 or --as owner=utf8:8,cents=long."},
    footerHeading = "%nExamples:%n",
    footer = {"  chunk create --as owner=utf8:8,cents=long me 40", "  chunk get 16:1 --as utf8:8,long",
        "  chunk dump 16:1"},
    sortOptions = false)
final class ChunkTasks extends TaskGroup {
    private static final String LAYOUT = "Fields of the chunk: bool, byte, short, int, long, float, double, cid, utf8, "
        + "hex; utf8:8 for 8 bytes, long[3] for three numbers, long[] for the rest, skip:4 for a gap.";
    private static final String CID = "The chunk.";
    private static final int SHOWN_MAX = 512;
    private static final int RANGE_MAX = 65_536;
    private static final int INDEX_BITS = 40;

    @Command(name = "create", description = "Creates a chunk, and prints its CID.", sortOptions = false)
    int create(@Mixin Show show, @Option(names = "--as", paramLabel = "LAYOUT", description = LAYOUT)
        @Nullable String layout, @Option(names = "--size", paramLabel = "BYTES", defaultValue = "-1",
        description = "Create a chunk of zeros.") int size, @Option(names = "--near", paramLabel = "CID",
        description = "Create it in the zone of this chunk.") @Nullable String near,
        @Parameters(arity = "0..*", paramLabel = "VALUE", description = "A value for each field; without --as a text.")
        @Nullable List<String> values) {
        byte[] content = size >= 0 ? zeros(size, values) : content(layout, values, new byte[0]);
        String at = near == null ? "" : Cid.toString(session().cid(near));
        String cid = Cid.toString(done(near == null ? store().create(content)
            : store().createNear(session().cid(near), content), at));
        return show.print(Map.of("cid", cid), cid);
    }

    private byte[] zeros(int size, @Nullable List<String> values) {
        if (values != null || size > ClusterStore.CHUNK_BYTES_MAX) {
            throw wrong(values != null ? "--size takes no values" : "--size: at most " + ClusterStore.CHUNK_BYTES_MAX
                + " bytes are allowed");
        }
        return new byte[size];
    }

    private byte[] content(@Nullable String layout, @Nullable List<String> values, byte[] before) {
        List<String> words = values == null ? List.of() : values;
        if (layout != null) {
            return Layout.parse(layout).write(words, before);
        }
        if (words.size() != 1) {
            throw wrong("without --as, name one value: a text, or 0x and hexadecimal digits");
        }
        return BytesText.bytes(words.getFirst());
    }

    @Command(name = "get", description = "Shows the fields of a chunk, or its bytes.", sortOptions = false)
    int get(@Mixin Show show, @Option(names = "--as", paramLabel = "LAYOUT", description = LAYOUT)
        @Nullable String layout, @Option(names = "--all", description = "Show all bytes, not 512 only.") boolean isAll,
        @Parameters(paramLabel = "CID", description = CID) String cid) {
        byte[] content = read(cid);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cid", Cid.toString(session().cid(cid)));
        json.put("size", content.length);
        if (layout == null) {
            json.put("hex", HexFormat.of().formatHex(content));
            return show.print(json, content.length == 0 ? "0 bytes" : HexDump.of(content, isAll ? content.length
                : SHOWN_MAX));
        }
        Layout fields = Layout.parse(layout);
        Map<String, Object> values = fields.read(content);
        json.put("fields", values);
        TextTable table = new TextTable("FIELD", "VALUE");
        values.forEach((name, value) -> table.row(name, Json.text(value)));
        int more = fields.takesRest() ? 0 : content.length - fields.bytesMin();
        return show.print(json, table + (more > 0 ? "and " + more + " more bytes\n" : ""));
    }

    private byte[] read(String text) {
        long cid = session().cid(text);
        byte[] bytes = store().chunks().get(cid).orElse(null);
        if (bytes == null) {
            throw new CommandFailure("there is no chunk " + Cid.toString(cid));
        }
        return bytes;
    }

    @Command(name = "put", description = {"Replaces the content of a chunk, or with --as its first fields.",
        "Gaps of the layout, and bytes behind its last field, stay as they are."}, sortOptions = false)
    int put(@Mixin Show show, @Option(names = "--as", paramLabel = "LAYOUT", description = LAYOUT)
        @Nullable String layout, @Parameters(index = "0", paramLabel = "CID", description = CID) String cid,
        @Parameters(index = "1..*", arity = "1..*", paramLabel = "VALUE",
            description = "A value for each field; without --as a text.") List<String> values) {
        long chunk = session().cid(cid);
        String name = Cid.toString(chunk);
        byte[] before = layout == null ? new byte[0] : read(cid);
        byte[] content = content(layout, values, before);
        if (layout != null && content.length == before.length) {
            done(store().putBytes(chunk, 0, content, 0, Layout.parse(layout).takesRest() ? content.length
                : Layout.parse(layout).bytesMin()), name);
        } else {
            done(store().put(chunk, content), name);
        }
        return show.print(Map.of("cid", name, "size", content.length), content.length + " bytes");
    }

    @Command(name = "remove", description = "Removes chunks.", sortOptions = false)
    int remove(@Mixin Show show, @Mixin Yes yes, @Option(names = "--to", paramLabel = "CID",
        description = "Remove all chunks with the indexes from the first to this, at most 65,536.")
        @Nullable String last, @Parameters(arity = "1..*", paramLabel = "CID", description = "The chunks.")
        List<String> cids) {
        long[] all = last == null ? cids.stream().mapToLong(session()::cid).toArray() : range(cids, last);
        yes.ask("remove " + (all.length == 1 ? "chunk " + Cid.toString(all[0]) : all.length + " chunks"));
        int removed = 0;
        for (long cid : all) {
            long result = store().remove(cid);
            if (last == null || result != Status.ABSENT) {
                done(result, Cid.toString(cid));
                removed++;
            }
        }
        return show.print(Map.of("removed", removed), "removed: " + removed);
    }

    private long[] range(List<String> cids, String last) {
        long from = session().cid(cids.getFirst());
        long to = session().cid(last);
        if (cids.size() > 1 || from >>> INDEX_BITS != to >>> INDEX_BITS || to < from || to - from >= RANGE_MAX) {
            throw wrong("--to takes one first CID, of the same zone and generation, at most 65,535 indexes before");
        }
        long[] all = new long[(int) (to - from) + 1];
        Arrays.setAll(all, i -> from + i);
        return all;
    }

    @Command(name = "dump", description = "Shows all bytes of a chunk, or writes them to a new file.",
        sortOptions = false)
    int dump(@Mixin Show show, @Parameters(index = "0", paramLabel = "CID", description = CID) String cid,
        @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "A file that does not exist yet.")
        @Nullable Path file) {
        byte[] content = read(cid);
        if (file == null) {
            return show.print(Map.of("size", content.length, "hex", HexFormat.of().formatHex(content)),
                content.length == 0 ? "0 bytes" : HexDump.of(content, content.length));
        }
        try {
            Files.write(file, content, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure("there is a file " + file + " already", e);
        } catch (IOException e) {
            throw new CommandFailure("the file " + file + " cannot be written: "
                + FailureText.of(e), e);
        }
        return show.print(Map.of("size", content.length, "file", file.toString()), content.length + " bytes in "
            + file);
    }

    @Command(name = "status", description = "Shows size, zone, owner and backups of a chunk.", sortOptions = false)
    int status(@Mixin Show show, @Parameters(paramLabel = "CID", description = CID) String text) {
        long cid = session().cid(text);
        long size = store().size(cid);
        NodeList nodes = session().nodes();
        ZoneStatus zone = nodes.cluster().zone(Cid.nid(cid));
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("cid", Cid.toString(cid));
        json.put("exists", size >= 0);
        json.put("size", size >= 0 ? size : null);
        json.put("zone", Cid.nid(cid));
        json.put("state", zone == null ? null : zone.state().name().toLowerCase(Locale.ROOT));
        json.put("owner", zone == null || zone.owner() == null ? null : nodes.name(zone.owner().nid()));
        json.put("backups", zone == null ? List.of() : zone.backups().stream().map(copy -> nodes.name(copy.node()
            .nid())).toList());
        return show.print(json, Json.lines(json));
    }

    @Command(name = "list", description = "Lists CIDs of chunks, also of those that collections are made of.",
        sortOptions = false)
    int list(@Mixin Show show, @Option(names = "--zone", paramLabel = "ZONE", description = "Chunks of this zone only.")
        @Nullable Integer zone, @Option(names = "--limit", paramLabel = "N", defaultValue = "20",
        description = "At most so many. Default: ${DEFAULT-VALUE}.") int limit) {
        List<String> cids = new ArrayList<>();
        try {
            store().ids().forEach(cid -> {
                if (cids.size() >= limit || session().isInterrupted()) {
                    throw new Enough();
                }
                if (zone == null || Cid.nid(cid) == zone) {
                    cids.add(Cid.toString(cid));
                }
            });
        } catch (Enough _) {
            return show.print(cids, String.join("\n", cids) + "\nand perhaps more; --limit shows them");
        }
        return show.print(cids, String.join("\n", cids));
    }

    /** Ends a visit of CIDs. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        Enough() {
            super(null, null, false, false);
        }
    }

    @Command(name = "lock", description = {"Locks a chunk for this session.",
        "Operations of others on the chunk wait until the session unlocks it or ends."}, sortOptions = false)
    int lock(@Mixin Show show, @Option(names = "--read", description = "Take a read lock: others may read.")
        boolean isRead, @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "0",
        description = "Longest wait. Default: do not wait.") double seconds,
        @Parameters(paramLabel = "CID", description = CID) String text) {
        long cid = session().cid(text);
        String name = Cid.toString(cid);
        done(isRead ? store().locks().lockRead(cid, ns(seconds)) : store().locks().lockWrite(cid, ns(seconds)), name);
        return show.print(Map.of("cid", name, "locked", isRead ? "read" : "write"), "locked " + name);
    }

    @Command(name = "unlock", description = "Ends the lock of this session on a chunk.", sortOptions = false)
    int unlock(@Mixin Show show, @Parameters(paramLabel = "CID", description = CID) String text) {
        long cid = session().cid(text);
        String name = Cid.toString(cid);
        done(store().locks().unlock(cid), name);
        return show.print(Map.of("cid", name), "unlocked " + name);
    }

    @Command(name = "name", description = "Gives a name to a chunk: @NAME stands for its CID.", sortOptions = false)
    int name(@Mixin Show show, @Parameters(index = "0", paramLabel = "CID", description = CID) String text,
        @Parameters(index = "1", paramLabel = "NAME", description = "The name.") String name) {
        long cid = session().cid(text);
        store().names().bind(name, cid);
        return show.print(Map.of("cid", Cid.toString(cid), "name", name), "@" + name + " is " + Cid.toString(cid));
    }
}
