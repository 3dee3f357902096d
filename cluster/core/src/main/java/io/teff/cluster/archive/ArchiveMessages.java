package io.teff.cluster.archive;

import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Schema;

/** The type of messages for reading and filling zones. */
public final class ArchiveMessages {
    private static final int ARCHIVE_ID = 66;

    /** Reads or fills a zone. */
    public static final RequestType<ArchiveRequest, ArchiveAnswer> ARCHIVE = new RequestType<>(
        new MessageType<>(ARCHIVE_ID, Schema.of(ArchiveRequest.class), ArchiveRequest.BYTES_MAX),
        new MessageType<>(ARCHIVE_ID, Schema.of(ArchiveAnswer.class), ArchiveRequest.BYTES_MAX));

    private ArchiveMessages() {}
}
