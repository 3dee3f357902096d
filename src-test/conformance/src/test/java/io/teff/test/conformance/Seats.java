package io.teff.test.conformance;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;

/**
 * A registered function: takes seats of a flight if enough are free. The value is the number of free seats, the
 * argument the wished number, and the result the number left. Zero wished seats remove the flight, and return nothing.
 */
public final class Seats implements ClusterFunction {
    static final String NAME = "seats/1";

    /** For the service loader. */
    public Seats() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void call(FunctionEntry entry) {
        byte[] value = entry.value();
        long free = value == null ? 100 : number(value);
        long wished = number(entry.argument());
        if (wished == 0) {
            entry.remove();
            return;
        }
        if (wished > free) {
            entry.put(new byte[0]);                             // has no effect, because the function throws
            throw new IllegalStateException("only " + free + " seats are left of " + Codecs.STRING.read(
                new Input(entry.key(), 0, entry.key().length)));
        }
        byte[] left = bytes(free - wished);
        entry.put(left);
        entry.result(left);
    }

    static long number(byte[] bytes) {
        return Codecs.LONG.read(new Input(bytes, 0, bytes.length));
    }

    static byte[] bytes(long number) {
        Output out = Output.growing(Long.BYTES);
        Codecs.LONG.write(number, out);
        return out.toByteArray();
    }
}
