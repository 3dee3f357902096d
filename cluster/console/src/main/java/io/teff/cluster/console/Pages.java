package io.teff.cluster.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the console's page, read once. Immutable. */
final class Pages {
    private static final Map<String, String> TYPES = Map.of(
        "index.html", "text/html; charset=utf-8",
        "console.js", "text/javascript; charset=utf-8",
        "charts.js", "text/javascript; charset=utf-8",
        "console.css", "text/css; charset=utf-8",
        "icon.svg", "image/svg+xml");

    private final Map<String, Page> pages = new LinkedHashMap<>();

    /** A file. */
    record Page(String type, byte[] bytes) {}

    private Pages() {}

    static Pages load() {
        Pages loaded = new Pages();
        TYPES.forEach((name, type) -> loaded.pages.put("/" + name, new Page(type, read(name))));
        Page index = loaded.at("/index.html");
        if (index != null) {
            loaded.pages.put("/", index);
        }
        return loaded;
    }

    private static byte[] read(String name) {
        try (InputStream in = Pages.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the file " + name + " of the console is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the file at a path, or null. */
    @Nullable Page at(@Nullable String path) {
        return path == null ? null : pages.get(path);
    }
}
