package io.teff.engine.codec.type;

import io.teff.engine.codec.Formerly;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Matches the names in other versions with the names in this version, and with {@link Formerly former} names. */
public final class FormerNames {
    private FormerNames() {}

    private static List<String> of(AnnotatedElement element) {
        Formerly mark = element.getAnnotation(Formerly.class);
        return mark == null ? List.of() : List.of(mark.value());
    }

    /** Returns the former names of a field, which may be a constant. */
    public static List<String> ofField(Class<?> owner, String field) {
        return Arrays.stream(owner.getDeclaredFields()).filter(known -> known.getName().equals(field))
            .flatMap(known -> of(known).stream()).toList();
    }

    /**
     * Returns the index of a subclass of another version, or -1: by its full name, or a former name, or else, since
     * classes are moved, by its simple name if unique in both versions.
     */
    public static int indexOf(String name, List<String> writtenNames, List<Class<?>> classes) {
        List<String> names = classes.stream().<String>map(Class::getName).toList();
        if (names.contains(name)) {
            return names.indexOf(name);
        }
        String end = simple(name);
        for (int i = 0; i < classes.size(); i++) {
            List<String> former = of(classes.get(i));
            if (former.contains(name) || former.contains(end)) {
                return i;
            }
        }
        List<String> ends = names.stream().map(FormerNames::simple).toList();
        return Collections.frequency(ends, end) == 1
            && writtenNames.stream().filter(written -> simple(written).equals(end)).count() == 1 ? ends.indexOf(end)
            : -1;
    }

    /** Returns the last part of the name of a class. */
    public static String simple(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    }
}
