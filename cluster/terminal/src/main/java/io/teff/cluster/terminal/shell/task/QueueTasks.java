package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.Described;
import io.teff.cluster.terminal.shell.value.Json;
import io.teff.engine.NamedRoot.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code queue}: queues, by the descriptions of their codecs. */
@Command(
    name = "queue",
    description = {"Reads and changes queues, without the classes of their programs.",
        "Elements are as values of the command map."},
    footerHeading = "%nExamples:%n",
    footer = {"  queue size jobs", "  queue peek jobs 3", "  queue offer jobs 'a text'"},
    sortOptions = false)
final class QueueTasks extends TaskGroup {
    private static final String QUEUE = "Name of the queue.";

    @Command(name = "peek", description = "Shows the first elements, and takes none.", sortOptions = false)
    int peek(@Mixin Show show, @Parameters(index = "0", paramLabel = "QUEUE", description = QUEUE) String name,
        @Parameters(index = "1", arity = "0..1", paramLabel = "N", defaultValue = "1",
            description = "So many. Default: ${DEFAULT-VALUE}.") int count) {
        Opened queue = Opened.of(store(), name, Kind.QUEUE);
        List<Object> shown = shown(queue.queue().iterator(), queue.keys(), count, session());
        return show.print(shown, shown.isEmpty() ? name + " is empty" : lines(shown));
    }

    static List<Object> shown(Iterator<byte[]> elements, Described codec, int limit, ShellSession session) {
        List<Object> shown = new ArrayList<>();
        while (shown.size() < limit && !session.isInterrupted() && elements.hasNext()) {
            shown.add(codec.shown(elements.next()));
        }
        return shown;
    }

    static String lines(List<Object> shown) {
        return shown.stream().map(Json::text).collect(Collectors.joining("\n"));
    }

    @Command(name = "size", description = "Shows the number of elements.", sortOptions = false)
    int size(@Mixin Show show, @Parameters(paramLabel = "QUEUE", description = QUEUE) String name) {
        long size = Opened.of(store(), name, Kind.QUEUE).queue().longSize();
        return show.print(Map.of("size", size), String.valueOf(size));
    }

    @Command(name = "offer", description = "Adds an element at the end.", sortOptions = false)
    int offer(@Mixin Show show, @Parameters(index = "0", paramLabel = "QUEUE", description = QUEUE) String name,
        @Parameters(index = "1", paramLabel = "VALUE", description = "The element.") String value) {
        Opened queue = Opened.of(store(), name, Kind.QUEUE);
        boolean isAdded = queue.queue().offer(queue.keys().bytes(value));
        if (!isAdded) {
            throw new CommandFailure("the memory of the owner is full");
        }
        return show.print(Map.of("added", true), "added");
    }

    @Command(name = "poll", description = "Takes the first element, and shows it.", sortOptions = false)
    int poll(@Mixin Show show, @Mixin Yes yes,
        @Parameters(paramLabel = "QUEUE", description = QUEUE) String name) {
        Opened queue = Opened.of(store(), name, Kind.QUEUE);
        yes.ask("take the first element of " + name);
        byte[] taken = queue.queue().poll();
        if (taken == null) {
            throw new CommandFailure(name + " is empty");
        }
        Object shown = queue.keys().shown(taken);
        return show.print(shown, Json.text(shown));
    }
}
