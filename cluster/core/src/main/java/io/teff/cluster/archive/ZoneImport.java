package io.teff.cluster.archive;

import io.teff.engine.journal.Journal;
import java.io.IOException;

/** Fills an empty zone of a cluster with chunks from elsewhere. For one thread. */
public final class ZoneImport {
    private static final int MESSAGE_BYTES = 1 << 20;

    private final ZoneLink link;
    private final int zone;
    private final EntryBytes message = new EntryBytes();
    private final long session;

    /**
     * Begins.
     *
     * @param link the cluster
     * @param zone number of the zone
     * @throws IOException if the zone has chunks, or no owner
     */
    public ZoneImport(ZoneLink link, int zone) throws IOException {
        this.link = link;
        this.zone = zone;
        session = call(new ArchiveRequest(ArchiveRequest.FILL, zone, 0, ArchiveRequest.NONE)).session();
    }

    /** {@return the zone} */
    public int zone() {
        return zone;
    }

    private ArchiveAnswer call(ArchiveRequest request) throws IOException {
        final ArchiveAnswer answer = link.call(request);
        if (answer.code() != ArchiveAnswer.DONE && answer.code() != ArchiveAnswer.END) {
            throw new IOException("the owner of zone " + zone + " has changed: import the store into a new cluster");
        }
        return answer;
    }

    /**
     * Adds a chunk.
     *
     * @param cid its CID, of this zone
     * @param isReadOnly whether it is read-only
     * @param content its content
     * @throws IOException if the owner of the zone has changed
     */
    public void put(long cid, boolean isReadOnly, byte[] content) throws IOException {
        if (content.length > EntryBytes.CONTENT_BYTES_MAX) {
            throw new IOException("chunk " + Long.toHexString(cid) + " has " + content.length + " bytes, and chunks of "
                + "a cluster have at most " + EntryBytes.CONTENT_BYTES_MAX);
        }
        message.add(cid, isReadOnly ? Journal.PUT_READ_ONLY : Journal.PUT, content);
        flush(MESSAGE_BYTES);
    }

    /**
     * Marks a CID as used.
     *
     * @param cid a CID of this zone
     * @throws IOException if the owner of the zone has changed
     */
    public void removed(long cid) throws IOException {
        message.addRemoved(cid);
        flush(MESSAGE_BYTES);
    }

    private void flush(int bytesMin) throws IOException {
        if (message.size() >= bytesMin) {
            call(new ArchiveRequest(ArchiveRequest.PUT, zone, session, message.toArray()));
            message.clear();
        }
    }

    /**
     * Publishes the zone, when the disks of its backups have all chunks.
     *
     * @throws IOException if the owner of the zone has changed
     */
    public void end() throws IOException {
        flush(1);
        call(new ArchiveRequest(ArchiveRequest.PUBLISH, zone, session, ArchiveRequest.NONE));
    }
}
