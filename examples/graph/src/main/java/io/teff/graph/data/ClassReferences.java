package io.teff.graph.data;

import io.teff.graph.data.ImageClasses.Content;
import io.teff.graph.data.ImageClasses.Edge;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The classes of this JVM, and their references: label {@code extends} to the superclass, {@code implements} to
 * interfaces, and {@code uses} to every other class in the constant pool and in the types of fields and methods. An
 * array is its element type. Vertices have binary names, such as {@code java.util.Map$Entry}. References to classes
 * that the JVM does not have are dropped, and so are references of a class to itself.
 */
public final class ClassReferences {
    private static final String EXTENDS = "extends";
    private static final String IMPLEMENTS = "implements";
    private static final String USES = "uses";

    private ClassReferences() {}

    /**
     * Reads all classes of the run-time image.
     *
     * @param names empty before
     * @param labels empty before
     * @param progress gets the number of class files that were read, each of them twice
     * @return the classes and their references, with names and labels
     * @throws IOException if a class file of the run-time image cannot be read
     */
    public static GraphInput read(VertexNames names, EdgeLabels labels, LongConsumer progress) throws IOException {
        return read(ImageClasses.ofRuntimeImage(), names, labels, progress);
    }

    static GraphInput read(List<Path> files, VertexNames names, EdgeLabels labels, LongConsumer progress)
        throws IOException {
        for (String label : List.of(EXTENDS, IMPLEMENTS, USES)) {
            labels.add(label);
        }
        return ImageClasses.read(files, ClassReferences::content, names, labels, false, progress);
    }

    private static Content content(ClassModel model) {
        String self = model.thisClass().asInternalName();
        List<Edge> edges = new ArrayList<>();
        Set<String> supers = new LinkedHashSet<>();
        model.superclass().ifPresent(it -> {
            supers.add(it.asInternalName());
            edges.add(edge(self, EXTENDS, it.asInternalName()));
        });
        for (ClassEntry type : model.interfaces()) {
            supers.add(type.asInternalName());
            edges.add(edge(self, IMPLEMENTS, type.asInternalName()));
        }
        Set<String> used = new LinkedHashSet<>();
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type -> addClass(type.asInternalName(), used);
                case NameAndTypeEntry member -> addTypes(member.type().stringValue(), used);
                case MethodTypeEntry type -> addTypes(type.descriptor().stringValue(), used);
                default -> { }
            }
        }
        model.fields().forEach(it -> addTypes(it.fieldType().stringValue(), used));
        model.methods().forEach(it -> addTypes(it.methodType().stringValue(), used));
        used.remove(self);
        used.removeAll(supers);
        used.forEach(it -> edges.add(edge(self, USES, it)));
        return new Content(List.of(binary(self)), edges);
    }

    private static Edge edge(String source, String label, String target) {
        return new Edge(binary(source), label, binary(target));
    }

    private static String binary(String internalName) {
        return internalName.replace('/', '.');
    }

    /** The name of an array class is a descriptor. */
    private static void addClass(String name, Set<String> used) {
        if (name.startsWith("[")) {
            addTypes(name, used);
        } else {
            used.add(name);
        }
    }

    /** Adds each class of a descriptor: the names between L and a semicolon. */
    private static void addTypes(String descriptor, Set<String> used) {
        for (int begin = descriptor.indexOf('L'); begin >= 0; ) {
            int end = descriptor.indexOf(';', begin);
            if (end < 0) {
                return;
            }
            used.add(descriptor.substring(begin + 1, end));
            begin = descriptor.indexOf('L', end);
        }
    }
}
