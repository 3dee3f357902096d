package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.access.Right;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.message.RequestType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each type of messages of a cluster has a right. The test finds the types in all classes of the module. */
final class MessageRightsTest {
    private static final String CLASS = ".class";
    /** The rights once more, by the numbers of the types. */
    private static final Map<Integer, Right> EXPECTED = new TreeMap<>(Map.ofEntries(
        Map.entry(1, Right.NODE), Map.entry(2, Right.ANY), Map.entry(3, Right.ANY), Map.entry(4, Right.STATUS),
        Map.entry(5, Right.WRITE), Map.entry(6, Right.NODE), Map.entry(7, Right.ANY), Map.entry(8, Right.NODE),
        Map.entry(9, Right.NODE), Map.entry(10, Right.ANY), Map.entry(16, Right.NODE), Map.entry(17, Right.NODE),
        Map.entry(21, Right.STATUS), Map.entry(22, Right.OPERATE), Map.entry(23, Right.ANY),
        Map.entry(24, Right.OPERATE), Map.entry(32, Right.ANY),
        Map.entry(33, Right.ANY), Map.entry(34, Right.READ), Map.entry(40, Right.COMPUTE), Map.entry(41, Right.COMPUTE),
        Map.entry(42, Right.COMPUTE), Map.entry(43, Right.NODE), Map.entry(44, Right.NODE),
        Map.entry(45, Right.COMPUTE), Map.entry(66, Right.ADMINISTER)));

    private static int id(Object type) {
        return switch (type) {
            case MessageType<?> message -> message.id();
            case RequestType<?, ?> request -> request.request().id();
            case RawType raw -> raw.id();
            case RawRequestType raw -> raw.request().id();
            default -> -1;
        };
    }

    /** Returns all types of messages in static fields of the module, with their classes. */
    private static Map<Integer, String> types() throws Exception {
        final URI place = ClusterStore.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        final Map<Integer, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(Path.of(place))) {
            for (Path file : all.filter(each -> each.toString().endsWith(CLASS)).toList()) {
                final String name = Path.of(place).relativize(file).toString().replace('/', '.');
                if (!name.endsWith("-info.class")) {
                    add(found, name.substring(0, name.length() - CLASS.length()));
                }
            }
        }
        return found;
    }

    private static void add(Map<Integer, String> found, String name) throws IOException, ReflectiveOperationException {
        final Class<?> each;
        final Field[] fields;
        try {
            each = Class.forName(name, false, ClusterStore.class.getClassLoader());
            fields = each.getDeclaredFields();
        } catch (NoClassDefFoundError _) {
            return;                                             // a class of an optional library
        }
        for (Field field : fields) {
            final Class<?> type = field.getType();
            if (Modifier.isStatic(field.getModifiers()) && (type == MessageType.class || type == RequestType.class
                || type == RawType.class || type == RawRequestType.class)) {
                field.setAccessible(true);
                found.put(id(field.get(null)), each.getSimpleName() + '.' + field.getName());
            }
        }
    }

    @Test
    void eachTypeOfTheModule_hasAnEntry() throws Exception {
        final Map<Integer, String> types = types();
        assertTrue(types.size() >= EXPECTED.size(), types::toString);
        types.forEach((id, name) -> assertNotNull(MessageRights.entry(id), name + " with type " + id
            + " has no right: add the type to MessageRights"));
        types.forEach((id, name) -> assertTrue(EXPECTED.containsKey(id), name + " is missing in this test"));
        assertEquals(EXPECTED.keySet(), types.keySet());
    }

    @Test
    void eachType_hasItsRight_andUnknownTypesThatOfANode() {
        for (int type = -1; type < 1 << 16; type++) {
            assertEquals(EXPECTED.getOrDefault(type, Right.NODE), MessageRights.of(type), "type " + type);
        }
    }
}
