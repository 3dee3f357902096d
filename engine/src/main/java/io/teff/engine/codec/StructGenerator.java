package io.teff.engine.codec;

import static java.lang.classfile.ClassFile.ACC_FINAL;
import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the code that writes and reads a struct: a hidden class with one straight line for each, in which every offset
 * is a constant, and every getter, constructor and part a constant of the class's data, which the JIT looks through.
 */
final class StructGenerator {
    private static final ClassDesc CD_OUTPUT = ClassDesc.of(Output.class.getName());
    private static final ClassDesc CD_INPUT = ClassDesc.of(Input.class.getName());
    private static final ClassDesc CD_BYTES = ClassDesc.of(Bytes.class.getName());
    private static final ClassDesc CD_SCALAR = ClassDesc.of(Scalar.class.getName());
    private static final ClassDesc CD_LAYOUT = ClassDesc.of(Layout.class.getName());
    private static final ClassDesc CD_PART = ClassDesc.of(Part.class.getName());
    private static final ClassDesc CD_FIXED = ClassDesc.of(Part.Fixed.class.getName());
    private static final ClassDesc CD_FIXED_STRUCT = ClassDesc.of(Struct.FixedStruct.class.getName());
    private static final ClassDesc CD_VARIABLE_STRUCT = ClassDesc.of(Struct.VariableStruct.class.getName());
    private static final ClassDesc CD_STRING = ConstantDescs.CD_String;
    private static final ClassDesc CD_ARRAY = CD_byte.arrayType();
    private static final DirectMethodHandleDesc CLASS_DATA_AT = ConstantDescs.ofConstantBootstrap(
        ClassDesc.of(MethodHandles.class.getName()), "classDataAt", CD_Object, CD_int);
    private static final MethodTypeDesc TAKE = MethodTypeDesc.of(CD_int, CD_int);
    private static final MethodTypeDesc GET_ARRAY = MethodTypeDesc.of(CD_ARRAY);

    private final Layout layout;
    private final ClassDesc thisClass;
    /** What the constants of the class refer to by number. */
    private final List<Object> data = new ArrayList<>();

    private StructGenerator(Layout layout) {
        this.layout = layout;
        this.thisClass = ClassDesc.of(StructGenerator.class.getPackageName(), "Generated");
    }

    /** Makes the part of a struct. */
    static Part<Object> generate(Layout layout) {
        return new StructGenerator(layout).make();
    }

    @SuppressWarnings("unchecked")
    private Part<Object> make() {
        ClassDesc parent = layout.isFixed() ? CD_FIXED_STRUCT : CD_VARIABLE_STRUCT;
        byte[] bytes = ClassFile.of().build(thisClass, builder -> {
            builder.withFlags(ACC_FINAL).withSuperclass(parent);
            MethodTypeDesc init = MethodTypeDesc.of(CD_void, CD_LAYOUT);
            builder.withMethodBody(ConstantDescs.INIT_NAME, init, 0, code ->
                code.aload(0).aload(1).invokespecial(parent, ConstantDescs.INIT_NAME, init).return_());
            if (layout.isFixed()) {
                builder.withMethodBody("put", MethodTypeDesc.of(CD_void, CD_Object, CD_ARRAY, CD_int),
                    ACC_FINAL, code -> new Writing(code, 2, 3, -1, 4).body());
                builder.withMethodBody("get", MethodTypeDesc.of(CD_Object, CD_ARRAY, CD_int, CD_INPUT),
                    ACC_FINAL, code -> new Reading(code, 1, 2, 3, 4).body());
            } else {
                builder.withMethodBody("write", MethodTypeDesc.of(CD_void, CD_Object, CD_OUTPUT),
                    ACC_PUBLIC | ACC_FINAL, code -> {
                        code.aload(2).loadConstant(layout.fixedBytes()).invokevirtual(CD_OUTPUT, "take", TAKE);
                        code.istore(4).aload(2).invokevirtual(CD_OUTPUT, "array", GET_ARRAY).astore(3);
                        new Writing(code, 3, 4, 2, 5).body();
                    });
                builder.withMethodBody("read", MethodTypeDesc.of(CD_Object, CD_INPUT), ACC_PUBLIC | ACC_FINAL, code -> {
                    code.aload(1).loadConstant(layout.fixedBytes()).invokevirtual(CD_INPUT, "take", TAKE);
                    code.istore(3).aload(1).invokevirtual(CD_INPUT, "array", GET_ARRAY).astore(2);
                    new Reading(code, 2, 3, 1, 4).body();
                });
            }
        });
        try {
            MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(bytes,
                List.copyOf(data), true);
            return (Part<Object>) hidden.lookupClass().getDeclaredConstructors()[0].newInstance(layout);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(layout.type().getName(), e);
        }
    }

    /** Loads something that is known now. */
    private void constant(CodeBuilder code, ClassDesc type, Object value) {
        code.loadConstant(DynamicConstantDesc.ofNamed(CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, data.size()));
        data.add(value);
    }

    private static ClassDesc desc(Layout.Field field) {
        return field.scalar() == null ? CD_Object : field.scalar().primitive().describeConstable().orElseThrow();
    }

    /** "Int" of {@code putInt} and {@code getInt}. */
    private static String suffix(Scalar scalar) {
        String name = scalar.primitive().getName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    // ---- writing: value in local 1, array, index and output in given locals ----

    private final class Writing {
        private final CodeBuilder code;
        private final int array;
        private final int at;
        private final int out;
        /** First of the locals that hold the references, in the order of their null bits; before it the null bits. */
        private final int refs;

        Writing(CodeBuilder code, int array, int at, int out, int free) {
            this.code = code;
            this.array = array;
            this.at = at;
            this.out = out;
            this.refs = free + 1;
        }

        void body() {
            if (layout.hasSubclasses()) {
                code.aload(1);
                constant(code, CD_Class, layout.type());
                code.invokestatic(CD_LAYOUT, "requireExact", MethodTypeDesc.of(CD_void, CD_Object, CD_Class));
            }
            nullBits(refs - 1);
            for (Layout.Field field : layout.fields()) {
                if (field.isFixed() && field.scalar() != null) {
                    code.aload(array).iload(at).loadConstant(field.offset()).iadd();
                    value(field);
                    code.invokestatic(CD_BYTES, "put" + suffix(field.scalar()),
                        MethodTypeDesc.of(CD_void, CD_ARRAY, CD_int, desc(field)));
                } else if (field.isFixed()) {
                    fixedReference(field);
                }
            }
            for (Layout.Field field : layout.fields()) {
                if (!field.isFixed()) {
                    variable(field);
                }
            }
            code.return_();
        }

        private void value(Layout.Field field) {
            constant(code, CD_MethodHandle, field.getter());
            code.aload(1).invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(desc(field), CD_Object));
        }

        /** Gets all references once, because others may change them, and stores which are null. */
        private void nullBits(int bits) {
            int count = 0;
            for (Layout.Field field : layout.fields()) {
                if (field.nullIndex() < 0) {
                    continue;
                }
                if (count % Byte.SIZE == 0) {
                    code.iconst_0().istore(bits);
                }
                Label isThere = code.newLabel();
                value(field);
                code.dup().astore(refs + count).ifnonnull(isThere);
                code.iload(bits).loadConstant(1 << count % Byte.SIZE).ior().istore(bits).labelBinding(isThere);
                count++;
                if (count % Byte.SIZE == 0) {
                    storeBits(bits, count);
                }
            }
            if (count % Byte.SIZE != 0) {
                storeBits(bits, count);
            }
        }

        private void storeBits(int bits, int count) {
            code.aload(array).iload(at).loadConstant((count - 1) / Byte.SIZE).iadd().iload(bits).i2b().bastore();
        }

        private void fixedReference(Layout.Field field) {
            Label isNull = code.newLabel();
            Label end = code.newLabel();
            code.aload(refs + field.nullIndex()).ifnull(isNull);
            constant(code, CD_FIXED, field.part());
            code.aload(refs + field.nullIndex()).aload(array).iload(at).loadConstant(field.offset()).iadd()
                .invokevirtual(CD_FIXED, "put", MethodTypeDesc.of(CD_void, CD_Object, CD_ARRAY, CD_int))
                .goto_(end).labelBinding(isNull)
                .aload(array).iload(at).loadConstant(field.offset()).iadd().loadConstant(field.part().fixedBytes())
                .invokestatic(CD_BYTES, "clear", MethodTypeDesc.of(CD_void, CD_ARRAY, CD_int, CD_int))
                .labelBinding(end);
        }

        private void variable(Layout.Field field) {
            if (field.scalar() != null) {
                code.aload(out);
                value(field);
                if (field.scalar() == Scalar.INT) {
                    code.i2l();
                }
                code.invokevirtual(CD_OUTPUT, "putZigzag", MethodTypeDesc.of(CD_void, CD_long));
                return;
            }
            Label end = code.newLabel();
            code.aload(refs + field.nullIndex()).ifnull(end);
            if (field.part() == StringPart.INSTANCE) {
                code.aload(out).aload(refs + field.nullIndex()).checkcast(CD_STRING)
                    .invokevirtual(CD_OUTPUT, "putString", MethodTypeDesc.of(CD_void, CD_STRING));
            } else {
                constant(code, CD_PART, field.part());
                code.aload(refs + field.nullIndex()).aload(out)
                    .invokevirtual(CD_PART, "write", MethodTypeDesc.of(CD_void, CD_Object, CD_OUTPUT));
            }
            code.labelBinding(end);
        }
    }

    // ---- reading: array, index and input in given locals ----

    private final class Reading {
        private final CodeBuilder code;
        private final int array;
        private final int at;
        private final int in;
        private final int[] locals = new int[layout.fields().size()];

        Reading(CodeBuilder code, int array, int at, int in, int free) {
            this.code = code;
            this.array = array;
            this.at = at;
            this.in = in;
            int next = free;
            for (int i = 0; i < locals.length; i++) {
                locals[i] = next;
                next += TypeKind.from(desc(layout.fields().get(i))).slotSize();
            }
        }

        void body() {
            checkUnusedBits();
            each(true);
            each(false);
            constant(code, CD_MethodHandle, layout.constructor());
            List<ClassDesc> parameters = new ArrayList<>();
            for (int i = 0; i < locals.length; i++) {
                ClassDesc type = desc(layout.fields().get(i));
                parameters.add(type);
                code.loadLocal(TypeKind.from(type), locals[i]);
            }
            code.invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object, parameters)).areturn();
        }

        private void each(boolean fixed) {
            for (int i = 0; i < locals.length; i++) {
                Layout.Field field = layout.fields().get(i);
                if (field.isFixed() == fixed) {
                    if (field.scalar() != null) {
                        scalar(field, field.scalar());
                    } else {
                        reference(field);
                    }
                    code.storeLocal(TypeKind.from(desc(field)), locals[i]);
                }
            }
        }

        private void checkUnusedBits() {
            int unused = layout.unusedNullBits();
            if (unused != 0) {
                code.aload(array).iload(at).loadConstant(layout.nullBytes() - 1).iadd().baload().loadConstant(unused)
                    .aload(in).invokestatic(CD_BYTES, "requireClear",
                        MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_INPUT));
            }
        }

        private void scalar(Layout.Field field, Scalar scalar) {
            if (field.zigzag()) {
                code.aload(in).invokevirtual(CD_INPUT, scalar == Scalar.INT ? "getZigzagInt" : "getZigzag",
                    MethodTypeDesc.of(desc(field)));
                return;
            }
            code.aload(array).iload(at).loadConstant(field.offset()).iadd();
            if (scalar == Scalar.BOOLEAN) {
                code.aload(in).invokestatic(CD_SCALAR, "getBoolean",
                    MethodTypeDesc.of(CD_boolean, CD_ARRAY, CD_int, CD_INPUT));
            } else {
                code.invokestatic(CD_BYTES, "get" + suffix(scalar),
                    MethodTypeDesc.of(desc(field), CD_ARRAY, CD_int));
            }
        }

        private void reference(Layout.Field field) {
            Label isNull = code.newLabel();
            Label end = code.newLabel();
            code.aload(array).iload(at).loadConstant(field.nullIndex() / Byte.SIZE).iadd().baload()
                .loadConstant(1 << field.nullIndex() % Byte.SIZE).iand().ifne(isNull);
            if (field.part() == StringPart.INSTANCE) {
                code.aload(in).invokevirtual(CD_INPUT, "getString", MethodTypeDesc.of(CD_STRING));
            } else if (field.isFixed()) {
                constant(code, CD_FIXED, field.part());
                code.aload(array).iload(at).loadConstant(field.offset()).iadd().aload(in)
                    .invokevirtual(CD_FIXED, "get", MethodTypeDesc.of(CD_Object, CD_ARRAY, CD_int, CD_INPUT));
            } else {
                constant(code, CD_PART, field.part());
                code.aload(in).invokevirtual(CD_PART, "read", MethodTypeDesc.of(CD_Object, CD_INPUT));
            }
            code.goto_(end).labelBinding(isNull).aconst_null().labelBinding(end);
        }
    }
}
