package io.teff.engine.codec.type;

/** The codec of a record or class. Subclasses with the methods that write and read are generated. */
public sealed interface StructCodec {
    /** Returns the places of the fields. */
    FieldLayout layout();

    /** Codec of a struct that has only fixed fields. */
    abstract non-sealed class FixedStruct extends TypeCodec.Fixed<Object> implements StructCodec {
        private final FieldLayout layout;

        /** Called by generated subclasses. */
        protected FixedStruct(FieldLayout layout) {
            super(layout.fixedBytes());
            this.layout = layout;
        }

        @Override
        public final FieldLayout layout() {
            return layout;
        }

        @Override
        final void describe(Description description) {
            description.struct(layout);
        }
    }

    /** Codec of a struct that has variable fields. */
    abstract non-sealed class VariableStruct extends TypeCodec<Object> implements StructCodec {
        private final FieldLayout layout;

        /** Called by generated subclasses. */
        protected VariableStruct(FieldLayout layout) {
            super(TypeCodec.VARIABLE, layout.bytesMin());
            this.layout = layout;
        }

        @Override
        public final FieldLayout layout() {
            return layout;
        }

        @Override
        final void describe(Description description) {
            description.struct(layout);
        }
    }
}
