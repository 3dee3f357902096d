package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.console.Browser.Question;
import io.teff.engine.os.FailureText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Questions that reach a node: histories, logs, collections and chunks. Their number is limited. Thread-safe. */
final class Questions {
    private static final int LINES = 200;
    private static final int READING_S = 2;
    /** The number for all nodes together. */
    private static final int ALL = 0;
    private static final int ENTRIES_MAX = 200;
    private static final String ENTRIES_USUAL = "50";

    private final Picture picture;
    private final Browser browser;
    private final Rate rate;
    private final ReentrantLock reading = new ReentrantLock();

    /** An answer: a document with code 200, or a failure for people. */
    record Reply(int code, String text) {}

    Questions(ConsoleSetup setup, Picture picture) {
        this.picture = picture;
        browser = setup.browser();
        rate = new Rate(setup.clock(), RequestLimits.QUESTIONS_PER_SECOND, 1, RequestLimits.QUESTIONS_BURST);
    }

    Reply answer(String path, @Nullable String query) {
        if (!path.startsWith("/api/")) {
            return new Reply(404, "there is no such page");
        }
        if (!rate.admit()) {
            return new Reply(429, "too many questions; wait a second");
        }
        try {
            return answer(path.substring("/api/".length()), arguments(query));
        } catch (IllegalArgumentException e) {
            return new Reply(400, "the arguments are wrong: " + FailureText.of(e));
        }
    }

    private Reply answer(String what, Map<String, String> arguments) {
        return switch (what) {
            case "history" -> history(arguments);
            case "log" -> log(arguments);
            case "collections" -> read(Question.COLLECTIONS, List.of());
            case "entries" -> read(Question.ENTRIES, List.of(needed(arguments, "name"), needed(arguments, "kind"),
                String.valueOf(Math.clamp(Integer.parseInt(arguments.getOrDefault("count", ENTRIES_USUAL)), 1,
                    ENTRIES_MAX))));
            case "entry" -> read(Question.ENTRY, List.of(needed(arguments, "name"), needed(arguments, "kind"),
                needed(arguments, "key")));
            case "chunk" -> read(Question.CHUNK, arguments.getOrDefault("as", "").isBlank()
                ? List.of(needed(arguments, "cid")) : List.of(needed(arguments, "cid"), needed(arguments, "as")));
            default -> new Reply(404, "there is no such question");
        };
    }

    private Reply read(Question question, List<String> words) {
        boolean isMine = false;
        try {
            isMine = reading.tryLock(READING_S, TimeUnit.SECONDS);
            if (!isMine) {
                return new Reply(503, "another question waits for the cluster");
            }
            Browser.Answer answer = browser.read(question, words);
            return new Reply(answer.isGood() ? 200 : 422, answer.text());
        } catch (InterruptedException _) {
            return new Reply(503, "the console ends");
        } finally {
            if (isMine) {
                reading.unlock();
            }
        }
    }

    private Reply history(Map<String, String> arguments) {
        FigureHistory.Span span = arguments.getOrDefault("span", "hour").equals("day") ? FigureHistory.Span.DAY
            : FigureHistory.Span.HOUR;
        List<String> names = List.of(needed(arguments, "figures").split(",", -1));
        List<Figure> figures = Arrays.stream(Figure.values()).filter(figure -> names.contains(figure.text())).toList();
        int nid = Integer.parseInt(needed(arguments, "nid"));
        List<FigureHistory> histories = new ArrayList<>();
        for (ClusterFigures.Answer answer : picture.now().figures().nodes()) {
            if (nid == ALL || nid == answer.life().nid()) {
                FigureHistory history = picture.admin().history(answer.life().nid(), span);
                if (history != null) {
                    histories.add(history);
                }
            }
        }
        return histories.isEmpty() ? new Reply(504, "the node does not answer")
            : new Reply(200, ConsoleJson.of(Series.of(span, histories, figures)));
    }

    private Reply log(Map<String, String> arguments) {
        List<String> lines = picture.admin().log(Integer.parseInt(needed(arguments, "nid")), LINES);
        return lines == null ? new Reply(504, "the node does not answer")
            : new Reply(200, ConsoleJson.of(Map.of("lines", lines)));
    }

    private static String needed(Map<String, String> arguments, String name) {
        String value = arguments.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static Map<String, String> arguments(@Nullable String query) {
        Map<String, String> arguments = new LinkedHashMap<>();
        for (String part : query == null ? new String[0] : query.split("&", -1)) {
            int sign = part.indexOf('=');
            if (sign > 0) {
                arguments.put(part.substring(0, sign), URLDecoder.decode(part.substring(sign + 1),
                    StandardCharsets.UTF_8));
            }
        }
        return arguments;
    }
}
