package io.teff.test.bench.cluster;

import io.teff.test.bench.store.Named;

/** The measured operations. */
enum ClusterOp implements Named {
    /** A message of the length of a chunk, and an answer of the same length. */
    PING("plain request and answer", 1),
    /** A chunk is read. */
    GET("get", 1),
    /** A chunk is replaced; its owner's memory has it. */
    PUT_OWNER("put, OWNER", 1),
    /** A chunk is replaced; the logs of all backups have it. */
    PUT_BACKED("put, BACKED", 1),
    /** A chunk is replaced; the disks of all backups have it. */
    PUT_SYNCED("put, BACKED_SYNCED", 1),
    /** Chunks of several zones are read. */
    BATCH_GET("batch of 64 get", 64),
    /** Chunks of several zones are replaced. */
    BATCH_PUT("batch of 64 put, BACKED", 64),
    /** Chunks are created and removed. */
    BATCH_CREATE("batch of 64 create, 64 remove, BACKED", 128);

    private final String title;
    private final int chunks;

    ClusterOp(String title, int chunks) {
        this.title = title;
        this.chunks = chunks;
    }

    String title() {
        return title;
    }

    /** Returns the number of chunks of one call. */
    int chunks() {
        return chunks;
    }
}
