package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.Chunks;
import io.teff.engine.error.Status;
import java.util.Arrays;
import java.util.Optional;

/** The operations on single chunks of a cluster; each is one call, with one deadline. Thread-safe. */
final class RemoteChunks extends Chunks {
    private final RemoteStore store;

    RemoteChunks(RemoteStore store) {
        super(store);
        this.store = store;
    }

    @Override
    public Optional<byte[]> get(long cid) {
        final OperationAnswer answer = store.get(cid, ClusterStore.CHUNK_BYTES_MAX);
        if (answer.result() == Status.ABSENT) {
            return Optional.empty();
        }
        check(cid, answer.result());
        return Optional.of(Arrays.copyOfRange(answer.bytes(), OperationFormat.HEAD_BYTES, answer.bytes().length));
    }
}
