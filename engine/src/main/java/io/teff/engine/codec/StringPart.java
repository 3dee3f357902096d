package io.teff.engine.codec;

/** Strings; generated code calls {@link Output#putString} itself. */
final class StringPart extends Part<String> {
    static final StringPart INSTANCE = new StringPart();

    private StringPart() {
        super(VARIABLE, 1);
    }

    @Override
    public void write(String value, Output out) {
        out.putString(value);
    }

    @Override
    public String read(Input in) {
        return in.getString();
    }

    @Override
    void describe(Description description) {
        description.named(Description.STANDARD, String.class.getName());
    }
}
