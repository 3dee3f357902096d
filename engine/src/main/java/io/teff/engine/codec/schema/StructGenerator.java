package io.teff.engine.codec.schema;

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

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.NullBits;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.StringCodec;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
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
 * Generates the codec of a struct: a hidden class with a method to write and a method to read, both without loops. All
 * offsets are constants; getters, the constructor and the codecs of fields are constants in the class data, which the
 * JIT can inline through.
 */
final class StructGenerator {
    private static final ClassDesc CD_OUTPUT = ClassDesc.of(Output.class.getName());
    private static final ClassDesc CD_INPUT = ClassDesc.of(Input.class.getName());
    private static final ClassDesc CD_LITTLE_ENDIAN = ClassDesc.of(LittleEndian.class.getName());
    private static final ClassDesc CD_NULL_BITS = ClassDesc.of(NullBits.class.getName());
    private static final ClassDesc CD_SCALAR = ClassDesc.of(Scalar.class.getName());
    private static final ClassDesc CD_LAYOUT = ClassDesc.of(FieldLayout.class.getName());
    private static final ClassDesc CD_TYPE_CODEC = ClassDesc.of(TypeCodec.class.getName());
    private static final ClassDesc CD_FIXED = ClassDesc.of(TypeCodec.Fixed.class.getName());
    private static final ClassDesc CD_FIXED_STRUCT = ClassDesc.of(StructCodec.FixedStruct.class.getName());
    private static final ClassDesc CD_VARIABLE_STRUCT = ClassDesc.of(StructCodec.VariableStruct.class.getName());
    private static final ClassDesc CD_STRING = ConstantDescs.CD_String;
    private static final ClassDesc CD_ARRAY = CD_byte.arrayType();
    private static final DirectMethodHandleDesc CLASS_DATA_AT = ConstantDescs.ofConstantBootstrap(
        ClassDesc.of(MethodHandles.class.getName()), "classDataAt", CD_Object, CD_int);
    private static final MethodTypeDesc TAKE = MethodTypeDesc.of(CD_int, CD_int);
    private static final MethodTypeDesc GET_ARRAY = MethodTypeDesc.of(CD_ARRAY);

    private final FieldLayout layout;
    private final ClassDesc thisClass;
    /** Class data; the constants of the class refer to it by index. */
    private final List<Object> data = new ArrayList<>();

    private StructGenerator(FieldLayout layout) {
        this.layout = layout;
        this.thisClass = ClassDesc.of(StructGenerator.class.getPackageName(), "Generated");
    }

    /** Returns the codec of a struct. */
    static TypeCodec<Object> generate(FieldLayout layout) {
        return new StructGenerator(layout).make();
    }

    @SuppressWarnings("unchecked")
    private TypeCodec<Object> make() {
        ClassDesc parent = layout.isFixed() ? CD_FIXED_STRUCT : CD_VARIABLE_STRUCT;
        byte[] bytes = ClassFile.of().build(thisClass, builder -> {
            builder.withFlags(ACC_FINAL).withSuperclass(parent);
            MethodTypeDesc init = MethodTypeDesc.of(CD_void, CD_LAYOUT);
            builder.withMethodBody(ConstantDescs.INIT_NAME, init, 0, code ->
                code.aload(0).aload(1).invokespecial(parent, ConstantDescs.INIT_NAME, init).return_());
            if (layout.isFixed()) {
                builder.withMethodBody("put", MethodTypeDesc.of(CD_void, CD_Object, CD_ARRAY, CD_int),
                    ACC_PUBLIC | ACC_FINAL, code -> new WritingCode(code, 2, 3, -1, 4).body());
                builder.withMethodBody("get", MethodTypeDesc.of(CD_Object, CD_ARRAY, CD_int, CD_INPUT),
                    ACC_PUBLIC | ACC_FINAL, code -> new ReadingCode(code, 1, 2, 3, 4).body());
            } else {
                builder.withMethodBody("write", MethodTypeDesc.of(CD_void, CD_Object, CD_OUTPUT),
                    ACC_PUBLIC | ACC_FINAL, code -> {
                        code.aload(2).loadConstant(layout.fixedBytes()).invokevirtual(CD_OUTPUT, "take", TAKE);
                        code.istore(4).aload(2).invokevirtual(CD_OUTPUT, "array", GET_ARRAY).astore(3);
                        new WritingCode(code, 3, 4, 2, 5).body();
                    });
                builder.withMethodBody("read", MethodTypeDesc.of(CD_Object, CD_INPUT), ACC_PUBLIC | ACC_FINAL, code -> {
                    code.aload(1).loadConstant(layout.fixedBytes()).invokevirtual(CD_INPUT, "take", TAKE);
                    code.istore(3).aload(1).invokevirtual(CD_INPUT, "array", GET_ARRAY).astore(2);
                    new ReadingCode(code, 2, 3, 1, 4).body();
                });
            }
        });
        try {
            MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(bytes,
                List.copyOf(data), true);
            return (TypeCodec<Object>) hidden.lookupClass().getDeclaredConstructors()[0].newInstance(layout);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(layout.type().getName(), e);
        }
    }

    /** Generates code that loads an object of the class data. */
    private void constant(CodeBuilder code, ClassDesc type, Object value) {
        code.loadConstant(DynamicConstantDesc.ofNamed(CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, data.size()));
        data.add(value);
    }

    private static ClassDesc desc(FieldLayout.Field field) {
        return field.scalar() == null ? CD_Object : field.scalar().primitive().describeConstable().orElseThrow();
    }

    /** Returns the suffix of the methods of {@link LittleEndian}, such as {@code Int} of {@code putInt}. */
    private static String suffix(Scalar scalar) {
        String name = scalar.primitive().getName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    // ---- writing: the value is local 1; array, index and output are locals given to the constructor ----

    private final class WritingCode {
        private final CodeBuilder code;
        private final int array;
        private final int at;
        private final int out;
        /** First of the locals with the references, in the order of their null bits; the local before has the bits. */
        private final int refs;

        WritingCode(CodeBuilder code, int array, int at, int out, int free) {
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
            for (FieldLayout.Field field : layout.fields()) {
                if (field.isFixed() && field.scalar() != null) {
                    code.aload(array).iload(at).loadConstant(field.offset()).iadd();
                    value(field);
                    code.invokestatic(CD_LITTLE_ENDIAN, "put" + suffix(field.scalar()),
                        MethodTypeDesc.of(CD_void, CD_ARRAY, CD_int, desc(field)));
                } else if (field.isFixed()) {
                    fixedReference(field);
                }
            }
            for (FieldLayout.Field field : layout.fields()) {
                if (!field.isFixed()) {
                    variable(field);
                }
            }
            code.return_();
        }

        private void value(FieldLayout.Field field) {
            constant(code, CD_MethodHandle, field.getter());
            code.aload(1).invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(desc(field), CD_Object));
        }

        /** Loads each reference once, since other threads may change the fields, and stores the null bits. */
        private void nullBits(int bits) {
            int count = 0;
            for (FieldLayout.Field field : layout.fields()) {
                if (field.nullIndex() < 0) {
                    continue;
                }
                if (count % Byte.SIZE == 0) {
                    code.iconst_0().istore(bits);
                }
                Label isPresent = code.newLabel();
                value(field);
                code.dup().astore(refs + count).ifnonnull(isPresent);
                code.iload(bits).loadConstant(1 << count % Byte.SIZE).ior().istore(bits).labelBinding(isPresent);
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

        private void fixedReference(FieldLayout.Field field) {
            Label isNull = code.newLabel();
            Label end = code.newLabel();
            code.aload(refs + field.nullIndex()).ifnull(isNull);
            constant(code, CD_FIXED, field.codec());
            code.aload(refs + field.nullIndex()).aload(array).iload(at).loadConstant(field.offset()).iadd()
                .invokevirtual(CD_FIXED, "put", MethodTypeDesc.of(CD_void, CD_Object, CD_ARRAY, CD_int))
                .goto_(end).labelBinding(isNull)
                .aload(array).iload(at).loadConstant(field.offset()).iadd().loadConstant(field.codec().fixedBytes())
                .invokestatic(CD_LITTLE_ENDIAN, "clear", MethodTypeDesc.of(CD_void, CD_ARRAY, CD_int, CD_int))
                .labelBinding(end);
        }

        private void variable(FieldLayout.Field field) {
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
            if (field.codec() == StringCodec.INSTANCE) {
                code.aload(out).aload(refs + field.nullIndex()).checkcast(CD_STRING)
                    .invokevirtual(CD_OUTPUT, "putString", MethodTypeDesc.of(CD_void, CD_STRING));
            } else {
                constant(code, CD_TYPE_CODEC, field.codec());
                code.aload(refs + field.nullIndex()).aload(out)
                    .invokevirtual(CD_TYPE_CODEC, "write", MethodTypeDesc.of(CD_void, CD_Object, CD_OUTPUT));
            }
            code.labelBinding(end);
        }
    }

    // ---- reading: array, index and input are locals given to the constructor ----

    private final class ReadingCode {
        private final CodeBuilder code;
        private final int array;
        private final int at;
        private final int in;
        private final int[] locals = new int[layout.fields().size()];

        ReadingCode(CodeBuilder code, int array, int at, int in, int free) {
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
                FieldLayout.Field field = layout.fields().get(i);
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
                    .aload(in).invokestatic(CD_NULL_BITS, "requireClear",
                        MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_INPUT));
            }
        }

        private void scalar(FieldLayout.Field field, Scalar scalar) {
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
                code.invokestatic(CD_LITTLE_ENDIAN, "get" + suffix(scalar),
                    MethodTypeDesc.of(desc(field), CD_ARRAY, CD_int));
            }
        }

        private void reference(FieldLayout.Field field) {
            Label isNull = code.newLabel();
            Label end = code.newLabel();
            code.aload(array).iload(at).loadConstant(field.nullIndex() / Byte.SIZE).iadd().baload()
                .loadConstant(1 << field.nullIndex() % Byte.SIZE).iand().ifne(isNull);
            if (field.codec() == StringCodec.INSTANCE) {
                code.aload(in).invokevirtual(CD_INPUT, "getString", MethodTypeDesc.of(CD_STRING));
            } else if (field.isFixed()) {
                constant(code, CD_FIXED, field.codec());
                code.aload(array).iload(at).loadConstant(field.offset()).iadd().aload(in)
                    .invokevirtual(CD_FIXED, "get", MethodTypeDesc.of(CD_Object, CD_ARRAY, CD_int, CD_INPUT));
            } else {
                constant(code, CD_TYPE_CODEC, field.codec());
                code.aload(in).invokevirtual(CD_TYPE_CODEC, "read", MethodTypeDesc.of(CD_Object, CD_INPUT));
            }
            code.goto_(end).labelBinding(isNull).aconst_null().labelBinding(end);
        }
    }
}
