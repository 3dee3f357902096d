package io.teff.tools.console;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a tree of records as one JSON document: records become objects, in the order of their components. */
public final class JsonDocument {
    private JsonDocument() {}

    /** Returns the document, indented; a null component is written as {@code null}. */
    public static String write(Record report) throws IOException {
        return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES)
            .asString(plain(report));
    }

    /** Converts records to maps, so that the JSON library needs no reflective access to this module. */
    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Record part -> object(part);
            case List<?> list -> list.stream().map(JsonDocument::plain).toList();
            default -> value;
        };
    }

    private static Map<String, @Nullable Object> object(Record part) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            try {
                Method accessor = component.getAccessor();
                if (!accessor.canAccess(part)) {
                    accessor.setAccessible(true);               // a record inside of a class of this module
                }
                object.put(component.getName(), plain(accessor.invoke(part)));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + component, e);
            }
        }
        return object;
    }
}
