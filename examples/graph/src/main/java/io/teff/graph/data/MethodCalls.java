package io.teff.graph.data;

import io.teff.graph.data.ImageClasses.Content;
import io.teff.graph.data.ImageClasses.Edge;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * The methods of this JVM, and their calls, as the instructions name them. The label of a call is its kind: {@code
 * virtual}, {@code special}, {@code static} or {@code interface}. A call by {@code invokedynamic} is no edge.
 *
 * <p>A method is named {@code java.lang.String.length()I}. A call names the class by which the method is called, which
 * may have inherited the method; so a vertex may be no declared method.
 */
public final class MethodCalls {
    private MethodCalls() {}

    /**
     * Reads all methods of the run-time image.
     *
     * @param names empty before
     * @param labels empty before
     * @param progress gets the number of class files that were read
     * @return the methods and their calls, with names and labels
     * @throws IOException if a class file of the run-time image cannot be read
     */
    public static GraphInput read(VertexNames names, EdgeLabels labels, LongConsumer progress) throws IOException {
        return read(ImageClasses.ofRuntimeImage(), names, labels, progress);
    }

    static GraphInput read(List<Path> files, VertexNames names, EdgeLabels labels, LongConsumer progress)
        throws IOException {
        return ImageClasses.read(files, MethodCalls::content, names, labels, true, progress);
    }

    private static Content content(ClassModel model) {
        List<String> vertices = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        String owner = model.thisClass().asInternalName();
        for (MethodModel method : model.methods()) {
            String caller = name(owner, method.methodName().stringValue(), method.methodType().stringValue());
            vertices.add(caller);
            method.code().ifPresent(code -> {
                for (CodeElement element : code) {
                    if (element instanceof InvokeInstruction call) {
                        edges.add(new Edge(caller, kind(call), name(call.owner().asInternalName(),
                            call.name().stringValue(), call.type().stringValue())));
                    }
                }
            });
        }
        return new Content(vertices, edges);
    }

    private static String kind(InvokeInstruction call) {
        String name = call.opcode().name().toLowerCase(Locale.ROOT);
        return name.substring("invoke".length());
    }

    private static String name(String owner, String method, String type) {
        return owner.replace('/', '.') + "." + method + type;
    }
}
