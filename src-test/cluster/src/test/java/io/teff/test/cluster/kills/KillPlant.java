package io.teff.test.cluster.kills;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Faults to be planted in all processes of a cluster, to check that the kills find them. A plant changes the bytes of a
 * few methods of the product; the processes load these classes first. A fault in the recording of a zone for a learner
 * is none for this: such a zone gets no backups, so nothing is killed; simulations plant these.
 */
enum KillPlant {
    /** A change is acknowledged before the backups have it: a peer counts its own changes as theirs, and ships late. */
    ACKNOWLEDGED_EARLY("io.teff.cluster.zone.ZoneOwner.acknowledged()",
        "io.teff.cluster.peer.RunTraffic.offer(NodeRef)"),
    /** A change that is sent again is made again; backups answer late, so that more changes are sent again. */
    RESULTS_FORGOTTEN("io.teff.cluster.slot.Slot.isDone()", "io.teff.cluster.peer.RunTraffic.offer(Owed)");

    /** Runs and answers leave only in half of all times of this many milliseconds, a power of two. */
    private static final int LATE_MS = 128;

    /** Class, method, and the type of its first parameter, if any. */
    private final List<String> methods;

    KillPlant(String... methods) {
        this.methods = List.of(methods);
    }

    /**
     * Makes a folder of classes that all processes of a cluster load first.
     *
     * @param folder of a run
     * @param plant what is planted, or null
     * @return the folder, or null for no plant
     */
    static Path patches(Path folder, KillPlant plant) throws IOException {
        if (plant == null) {
            return null;
        }
        Path patches = Files.createDirectories(folder.resolve("patches"));
        plant.write(patches);
        return patches;
    }

    /**
     * Writes the changed classes.
     *
     * @param folder receives them, for the front of a class path
     */
    private void write(Path folder) throws IOException {
        for (String method : methods) {
            int dot = method.lastIndexOf('.');
            String file = method.substring(0, dot).replace('.', '/') + ".class";
            try (InputStream in = KillPlant.class.getClassLoader().getResourceAsStream(file)) {
                if (in == null) {
                    throw new IOException("no class " + file);
                }
                Path target = folder.resolve(file);
                Files.createDirectories(target.getParent());
                Files.write(target, changed(in.readAllBytes(), method.substring(dot + 1)));
            }
        }
    }

    private static byte[] changed(byte[] bytes, String method) {
        ClassFile files = ClassFile.of();
        ClassModel model = files.parse(bytes);
        int[] count = new int[1];
        ClassDesc self = model.thisClass().asSymbol();
        byte[] result = files.transformClass(model, ClassTransform.transformingMethodBodies(
            it -> name(it).equals(method) && count[0]++ == 0, new Front(code -> front(code, self, method))));
        if (count[0] == 0) {
            throw new IllegalStateException("no method " + method + " in " + self.displayName());
        }
        return result;
    }

    /** Returns a method's name and the type of its first parameter, as in {@link #methods}. */
    private static String name(MethodModel method) {
        MethodTypeDesc type = method.methodTypeSymbol();
        String first = type.parameterCount() == 0 ? "" : type.parameterType(0).displayName();
        return method.methodName().stringValue() + '(' + first.substring(first.lastIndexOf('$') + 1) + ')';
    }

    /** Writes instructions in front of those of a method. */
    private static void front(CodeBuilder code, ClassDesc self, String method) {
        switch (method) {
            case "acknowledged()" -> code.aload(0)
                .invokevirtual(self, "committed", MethodTypeDesc.of(ConstantDescs.CD_long)).lreturn();
            case "isDone()" -> code.iconst_0().ireturn();
            case "offer(NodeRef)", "offer(Owed)" -> code.invokestatic(ClassDesc.of("java.lang.System"),
                    "currentTimeMillis", MethodTypeDesc.of(ConstantDescs.CD_long))
                .loadConstant((long) LATE_MS / 2).land().l2i()
                .ifThen(late -> late.iconst_0().ireturn());
            default -> throw new IllegalArgumentException(method);
        }
    }

    /** Puts instructions in front of a method's own. */
    private record Front(Consumer<CodeBuilder> writer) implements CodeTransform {
        @Override
        public void atStart(CodeBuilder code) {
            writer.accept(code);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
