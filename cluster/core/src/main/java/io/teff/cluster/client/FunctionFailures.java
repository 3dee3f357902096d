package io.teff.cluster.client;

import io.teff.cluster.FunctionFailedException;
import io.teff.cluster.UnknownFunctionException;
import io.teff.cluster.operation.FormTrailer;
import io.teff.cluster.operation.FunctionCall;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.Cid;
import java.nio.charset.StandardCharsets;

/** Answers that say why a registered function has done nothing, as exceptions. */
final class FunctionFailures {
    private FunctionFailures() {}

    /** Returns whether an answer says that a function was not found, or has failed. */
    static boolean isOf(OperationAnswer answer) {
        return answer.code() == OperationFormat.NO_FUNCTION || answer.code() == OperationFormat.FUNCTION_FAILED;
    }

    /** Returns the exception for a function that was not found, or has failed. */
    static RuntimeException of(OperationAnswer answer, byte[] call, long root) {
        final String name = FunctionCall.read(call, FormTrailer.guardBytes(call)).name();
        final String text = new String(answer.bytes(), OperationFormat.HEAD_BYTES, answer.contentLength(),
            StandardCharsets.UTF_8);
        return answer.code() == OperationFormat.FUNCTION_FAILED
            ? new FunctionFailedException(name, "function " + name + " has failed: " + text)
            : new UnknownFunctionException(name, "the owner of zone " + Cid.nid(root) + " has no function " + name
                + " on its class path" + text);
    }
}
