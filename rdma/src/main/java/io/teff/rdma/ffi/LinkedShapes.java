package io.teff.rdma.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The shapes of all calls and callbacks that this process has linked, in the words of the metadata for native images:
 * an image contains stubs for the shapes of the metadata, and links no others. Thread-safe.
 */
final class LinkedShapes {
    private static final Set<String> CALLS = ConcurrentHashMap.newKeySet();
    private static final Set<String> CALLBACKS = ConcurrentHashMap.newKeySet();

    private LinkedShapes() {}

    /** Notes the shape of a call. */
    static void call(FunctionDescriptor shape, Linker.Option... options) {
        CALLS.add(text(shape, options));
    }

    /** Notes the shape of a callback. */
    static void callback(FunctionDescriptor shape) {
        CALLBACKS.add(text(shape));
    }

    /** Returns the shapes of calls. */
    static Set<String> calls() {
        return new TreeSet<>(CALLS);
    }

    /** Returns the shapes of callbacks. */
    static Set<String> callbacks() {
        return new TreeSet<>(CALLBACKS);
    }

    private static String text(FunctionDescriptor shape, Linker.Option... options) {
        final String parameters = shape.argumentLayouts().stream().map(it -> "\"" + name(it) + "\"")
            .collect(Collectors.joining(", "));
        final StringBuilder words = new StringBuilder("{\"returnType\": \"")
            .append(shape.returnLayout().map(LinkedShapes::name).orElse("void"))
            .append("\", \"parameterTypes\": [").append(parameters).append(']');
        final List<Linker.Option> all = List.of(options);
        if (!all.isEmpty()) {
            words.append(", \"options\": {");
            if (all.contains(CallState.ERRNO)) {
                words.append("\"captureCallState\": true");
            }
            for (int index = 0; index < shape.argumentLayouts().size(); index++) {
                if (all.contains(Linker.Option.firstVariadicArg(index))) {
                    words.append(", \"firstVariadicArg\": ").append(index);
                }
            }
            words.append('}');
        }
        return words.append('}').toString();
    }

    private static String name(MemoryLayout layout) {
        return layout instanceof ValueLayout value
            ? value.equals(ValueLayout.ADDRESS) ? "void*" : "j" + value.carrier().getName() : layout.toString();
    }
}
