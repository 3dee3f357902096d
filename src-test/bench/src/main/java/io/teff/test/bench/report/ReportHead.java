package io.teff.test.bench.report;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.store.Contender;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The start of a report before its figures: the machine and the commit, and for comparisons the flags of each JVM.
 *
 * @param machine the machine
 * @param contenders the contenders compared in sessions, in JVMs with flags of their own; may be empty
 */
public record ReportHead(Machine machine, Set<? extends Contender> contenders) {
    /**
     * The head of a report without sessions.
     *
     * @param machine where it ran
     */
    public ReportHead(Machine machine) {
        this(machine, Set.of());
    }

    /** {@return lines of text} */
    public String text() {
        return machine.text() + (contenders.isEmpty() ? "" : flags());
    }

    private String flags() {
        Stream<String> own = contenders.stream().map(kind -> kind.title() + ": "
            + (kind.flags().isEmpty() ? "none" : String.join(" ", kind.flags()))).distinct();
        return Stream.concat(Stream.of("all: " + String.join(" ", SessionProcess.FLAGS)), own)
            .map(line -> "flags of " + line + '\n').collect(Collectors.joining());
    }

    /**
     * Makes a JSON document.
     *
     * @param figures what follows the head, by name
     * @return the document
     */
    public String json(Map<String, ?> figures) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("machine", machine.fields());
        if (!contenders.isEmpty()) {
            Map<String, Object> flags = new LinkedHashMap<>();
            contenders.forEach(kind -> flags.put(kind.id(), kind.flags()));
            document.put("flags of all", SessionProcess.FLAGS);
            document.put("flags", flags);
        }
        document.putAll(figures);
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(document);
    }
}
