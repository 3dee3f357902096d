package io.teff.cluster.console;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps, lists, texts, numbers and booleans as JSON in one line. */
final class ConsoleJson {
    private ConsoleJson() {}

    static String of(@Nullable Object value) {
        try {
            return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(value);
        } catch (IOException e) {
            throw new IllegalStateException("a value is no JSON: " + FailureText.of(e), e);
        }
    }

    /** Returns the fields of an object; null if a text is no object. */
    static @Nullable Map<String, Object> object(String text) {
        try {
            return JSON.std.mapFrom(text);
        } catch (IOException _) {
            return null;
        }
    }
}
