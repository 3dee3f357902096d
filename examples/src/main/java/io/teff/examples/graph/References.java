package io.teff.examples.graph;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.HashSet;
import java.util.Set;

/**
 * The other classes that a class file refers to: its superclass and interfaces, every class in its constant pool, and
 * the types in the descriptors of its own and of the used fields and methods. An array counts as its element type;
 * primitive types do not count. Each class is contained once.
 */
final class References {
    private static final char CLASS_BEGIN = 'L';
    private static final char CLASS_END = ';';
    private static final char ARRAY = '[';

    private References() {}

    /** Returns the internal names of the classes that a class file refers to, without its own. */
    static Set<String> of(byte[] classFile) {
        ClassModel model = ClassFile.of().parse(classFile);
        Set<String> names = new HashSet<>();
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type -> addClass(type.asInternalName(), names);
                case NameAndTypeEntry member -> addDescriptor(member.type().stringValue(), names);
                case MethodTypeEntry type -> addDescriptor(type.descriptor().stringValue(), names);
                default -> { }
            }
        }
        for (FieldModel field : model.fields()) {
            addDescriptor(field.fieldType().stringValue(), names);
        }
        for (MethodModel method : model.methods()) {
            addDescriptor(method.methodType().stringValue(), names);
        }
        names.remove(model.thisClass().asInternalName());
        return names;
    }

    /** A class entry holds a name or, for an array, a descriptor. */
    private static void addClass(String name, Set<String> names) {
        if (name.charAt(0) == ARRAY) {
            addDescriptor(name, names);
        } else {
            names.add(name);
        }
    }

    /** Adds every {@code Lname;} of a descriptor. Primitive types have capital letters too, but never an L. */
    static void addDescriptor(String descriptor, Set<String> names) {
        int begin = descriptor.indexOf(CLASS_BEGIN);
        while (begin >= 0) {
            int end = descriptor.indexOf(CLASS_END, begin);
            names.add(descriptor.substring(begin + 1, end));
            begin = descriptor.indexOf(CLASS_BEGIN, end);
        }
    }
}
