package io.teff.cluster.client;

import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.ChunkStore;
import io.teff.engine.Chunks;
import io.teff.engine.error.Status;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongFunction;

/** The operations on single chunks of a cluster; each operation is one call with one deadline. Thread-safe. */
final class RemoteChunks extends Chunks {
    private final LongFunction<OperationAnswer> reader;

    /**
     * Makes the operations of a store.
     *
     * @param reader reads a whole chunk
     */
    RemoteChunks(ChunkStore store, LongFunction<OperationAnswer> reader) {
        super(store);
        this.reader = reader;
    }

    @Override
    public Optional<byte[]> get(long cid) {
        final OperationAnswer answer = reader.apply(cid);
        if (answer.result() == Status.ABSENT) {
            return Optional.empty();
        }
        check(cid, answer.result());
        final byte[] bytes = answer.bytes();
        return Optional.of(Arrays.copyOfRange(bytes, OperationFormat.HEAD_BYTES, bytes.length));
    }
}
