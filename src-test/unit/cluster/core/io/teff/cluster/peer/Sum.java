package io.teff.cluster.peer;

import io.teff.cluster.ClusterFunction;
import io.teff.cluster.FunctionEntry;
import io.teff.cluster.operation.OperationCalls;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;

/** A registered function of tests: adds the argument to a number, and returns the sum. */
final class Sum implements ClusterFunction {
    static final String NAME = "sum/1";

    private static final Sum SUM = new Sum();

    private Sum() {}

    /** Registers the function in this process, and so at all owners. */
    static void register() {
        OperationCalls.register(SUM);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void call(FunctionEntry entry) {
        byte[] before = entry.value();
        byte[] sum = bytes((before == null ? 0 : number(before)) + number(entry.argument()));
        entry.put(sum);
        entry.result(sum);
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
