package io.teff.examples.graph;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Class files for tests: each class has one field for every class that it refers to. */
final class TinyClasses {
    private TinyClasses() {}

    /** Writes one class file per key into a folder. */
    static ClassFiles write(Path folder, Map<String, List<String>> references) throws IOException {
        for (Map.Entry<String, List<String>> type : references.entrySet()) {
            Path file = folder.resolve(ClassFiles.internalName(type.getKey()) + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, bytes(type.getKey(), type.getValue()));
        }
        return ClassFiles.under(List.of(folder));
    }

    private static byte[] bytes(String name, List<String> references) {
        return ClassFile.of().build(ClassDesc.of(name), builder -> {
            for (int i = 0; i < references.size(); i++) {
                builder.withField("field" + i, ClassDesc.of(references.get(i)), ClassFile.ACC_PRIVATE);
            }
        });
    }

    /** Returns a class file that refers to other classes in every possible way. */
    static byte[] talkative() {
        ClassDesc self = ClassDesc.of("tiny.Talkative");
        return ClassFile.of().build(self, builder -> builder
            .withSuperclass(ClassDesc.of("tiny.Super"))
            .withInterfaceSymbols(ClassDesc.of("tiny.Interface"))
            .withField("count", ConstantDescs.CD_int, ClassFile.ACC_PRIVATE)
            .withField("table", ClassDesc.of("tiny.Element").arrayType(2), ClassFile.ACC_PRIVATE)
            .withField("numbers", ConstantDescs.CD_long.arrayType(), ClassFile.ACC_PRIVATE)
            .withField("self", self, ClassFile.ACC_PRIVATE)
            .withMethodBody("work", MethodTypeDesc.of(ClassDesc.of("tiny.Result"), ClassDesc.of("tiny.Argument"),
                ConstantDescs.CD_int), ClassFile.ACC_PUBLIC, code -> code
                    .aconst_null()
                    .checkcast(ClassDesc.of("tiny.Cast").arrayType())
                    .pop()
                    .aload(1)
                    .invokestatic(ClassDesc.of("tiny.Callee"), "call",
                        MethodTypeDesc.of(ClassDesc.of("tiny.Result"), ClassDesc.of("tiny.Argument")))
                    .areturn()));
    }
}
