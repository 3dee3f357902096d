package io.teff.engine.codec;

/** A record or class; the methods that write and read are generated. */
sealed interface Struct {
    /** Where its fields lie. */
    Layout layout();

    /** One with fixed fields only. */
    abstract non-sealed class FixedStruct extends Part.Fixed<Object> implements Struct {
        private final Layout layout;

        FixedStruct(Layout layout) {
            super(layout.fixedBytes());
            this.layout = layout;
        }

        @Override
        public final Layout layout() {
            return layout;
        }

        @Override
        final void describe(Description description) {
            description.struct(layout);
        }
    }

    /** One with fields of variable length. */
    abstract non-sealed class VariableStruct extends Part<Object> implements Struct {
        private final Layout layout;

        VariableStruct(Layout layout) {
            super(Part.VARIABLE, layout.bytesMin());
            this.layout = layout;
        }

        @Override
        public final Layout layout() {
            return layout;
        }

        @Override
        final void describe(Description description) {
            description.struct(layout);
        }
    }
}
