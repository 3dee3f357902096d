package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.service.Election;
import io.teff.cluster.service.Hold;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.BytesText;
import io.teff.cluster.terminal.shell.value.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code lock}: locks, semaphores and leaderships by name, held by this session. */
@Command(
    name = "lock",
    description = {"Takes locks, permits of semaphores and leaderships by name.",
        "The session holds them until lock release, or until the session ends. A command of its own frees them at its "
            + "end."},
    footerHeading = "%nExamples:%n",
    footer = {"  lock acquire nightly --timeout 5", "  lock permits workers 1 --of 3", "  lock held",
        "  lock release nightly"},
    sortOptions = false)
final class LockTasks extends TaskGroup {
    private static final String NAME = "The name.";
    private static final String TIMEOUT = "Longest wait. Default: do not wait.";

    @Command(name = "acquire", description = "Takes a lock.", sortOptions = false)
    int acquire(@Mixin Show show, @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "0",
        description = TIMEOUT) double seconds,
        @Parameters(paramLabel = "NAME", description = NAME) String name) {
        requireFree(name);
        return hold(show, name, "lock", store().services().lock(name).acquire(ns(seconds)));
    }

    @Command(name = "permits", description = "Takes permits of a semaphore.", sortOptions = false)
    int permits(@Mixin Show show, @Option(names = "--of", paramLabel = "N", required = true,
        description = "Permits of the semaphore; all users name the same number.") int of,
        @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "0", description = TIMEOUT) double seconds,
        @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
        @Parameters(index = "1", paramLabel = "N", description = "Number of permits.") int permits) {
        requireFree(name);
        return hold(show, name, "semaphore", store().services().semaphore(name, of).acquire(permits, ns(seconds)));
    }

    @Command(name = "lead", description = "Runs for leadership in an election.", sortOptions = false)
    int lead(@Mixin Show show, @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "0",
        description = TIMEOUT) double seconds,
        @Parameters(index = "0", paramLabel = "NAME", description = NAME) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "VALUE", defaultValue = "",
            description = "What others read of the leader.") String value) {
        requireFree(name);
        return hold(show, name, "election", store().services().election(name).lead(BytesText.bytes(value),
            ns(seconds)));
    }

    @Command(name = "leader", description = "Shows the leader of an election.", sortOptions = false)
    int leader(@Mixin Show show, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        Election.Leader leader = store().services().election(name).leader().orElse(null);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("leader", leader == null ? null : BytesText.of(leader.value()));
        json.put("token", leader == null ? null : leader.token());
        return show.print(json, leader == null ? "no process leads" : "'" + BytesText.of(leader.value())
            + "' leads, token " + leader.token());
    }

    private void requireFree(String name) {
        if (session().holds().containsKey(name)) {
            throw new CommandFailure("this session holds " + name + " already");
        }
    }

    private int hold(Show show, String name, String kind, Optional<Hold> hold) {
        if (hold.isEmpty()) {
            throw new CommandFailure("the " + kind + " " + name + " is held by others");
        }
        session().holds().put(name, hold.get());
        return show.print(Map.of("name", name, "token", hold.get().token()), "held, token " + hold.get().token());
    }

    @Command(name = "held", description = "Lists what this session holds.", sortOptions = false)
    int held(@Mixin Show show) {
        List<Map<String, Object>> json = new ArrayList<>();
        TextTable table = new TextTable("NAME", "TOKEN", "HELD");
        session().holds().forEach((name, hold) -> {
            json.add(Map.of("name", name, "token", hold.token(), "held", hold.isHeld()));
            table.row(name, hold.token(), hold.isHeld() ? "yes" : "not for certain");
        });
        return show.print(json, table);
    }

    @Command(name = "release", description = "Frees what this session holds by a name.", sortOptions = false)
    int release(@Mixin Show show, @Parameters(paramLabel = "NAME", description = NAME) String name) {
        Hold hold = session().holds().remove(name);
        if (hold == null) {
            throw new CommandFailure("this session holds no " + name);
        }
        hold.close();
        return show.print(Map.of("released", name), "released " + name);
    }
}
