package io.teff.cluster.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The setup of one end of a link: the part that dialers and listeners share. */
abstract class LinkSetup implements ControlledFragmentHandler {
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(1500);

    final AeronClient client;
    private final long startNs;
    private final long expected;
    private long publicationId = AeronClient.NONE;
    private @Nullable ExclusivePublication publication;
    private @Nullable Image image;
    private @Nullable Hello heard;
    private boolean isRead;

    /** Makes a setup that expects a message of a kind. */
    LinkSetup(AeronClient client, long expected) {
        this.client = client;
        this.expected = expected;
        startNs = client.nowNs();
    }

    /** Continues; returns true when both ends have sent their first message. */
    abstract boolean poll() throws IOException;

    /** Returns the peer's address as a text for messages. */
    abstract String peer();

    /** Releases the resources of the setup. */
    void release() {
        client.removePublication(publicationId);
    }

    @Nullable ExclusivePublication publication() {
        return publication;
    }

    @Nullable Image image() {
        return image;
    }

    void setImage(Image its) {
        image = its;
    }

    /** Throws if the setup takes too long. */
    void checkTime() throws IOException {
        if (client.nowNs() - startNs > TIMEOUT_NS) {
            throw new IOException("no answer from " + peer());
        }
    }

    /** Sends the first message; returns false if the caller has to call again. */
    boolean say(String channel, int stream, Hello hello, long kind) throws IOException {
        if (publicationId == AeronClient.NONE) {
            publicationId = client.addPublication(channel, stream);
        }
        if (publication == null) {
            publication = client.publication(publicationId);
        }
        if (publication == null) {
            return false;
        }
        final long result = publication.offer(hello.toBuffer(), 0, Hello.BYTES, (_, _, _) -> kind);
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw new IOException("the link to " + peer() + " was closed");
        }
        return result > 0;
    }

    /** Returns the peer's first message; null before the message has arrived. */
    @Nullable Hello hear() throws IOException {
        if (image != null && !isRead) {
            image.controlledPoll(this, 1);
            if (isRead && heard == null || !isRead && (image.isClosed() || image.isEndOfStream())) {
                throw new IOException("the other end at " + peer() + " is no Teff node");
            }
        }
        return heard;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        isRead = true;
        if (header.reservedValue() == expected && Hello.isAt(buffer, offset, length)) {
            heard = Hello.read(buffer, offset);
        }
        return Action.BREAK;
    }
}
