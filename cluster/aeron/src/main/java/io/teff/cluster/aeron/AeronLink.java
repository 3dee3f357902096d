package io.teff.cluster.aeron;

import io.aeron.AeronCounters;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * A link of two Aeron streams. Used by the agent's thread only.
 *
 * <p>The link has ended when the peer's image has ended: closed, at its end, or given up by the driver. The link has
 * also ended when the peer has sent CLOSE. A stream of this end without a reader does not end the link, as bytes of the
 * peer may still be under way.
 */
final class AeronLink implements Link, ControlledFragmentHandler {
    /** Longest time for a driver to send its remaining data before the driver is stopped. */
    static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Maximum number of fragments to read before the next link has a turn. */
    private static final int FRAGMENTS_MAX = 64;
    private static final int TERMS = 3;
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[1]);

    private final String peer;
    private final LinkSetup opening;
    private @Nullable LinkEvents events;
    private @Nullable ExclusivePublication publication;
    private @Nullable Image image;
    private @Nullable IOException failure;
    private boolean isBlocked;
    private boolean isOver;
    /** The last source memory of a write, and a view of this memory. */
    private @Nullable MemorySegment writeMemory;
    private final UnsafeBuffer writeBuffer = new UnsafeBuffer(0, 0);
    /** Addresses of the terms of the image, and views of the terms. */
    private final long[] termAddress = new long[TERMS];
    private final MemorySegment[] termMemory = new MemorySegment[TERMS];
    private int termCount;

    /** Creates a link whose setup may be incomplete. */
    AeronLink(LinkSetup opening) {
        this.peer = opening.peer();
        this.opening = opening;
    }

    /** Sets the receiver of the link's events, before the first event. */
    void open(LinkEvents sink) {
        events = sink;
    }

    /** Sets the receiver of the events of a link that is set up already. */
    void openMade(LinkEvents sink) {
        events = sink;
        connected();
    }

    private LinkEvents events() {
        return Objects.requireNonNull(events);
    }

    private void connected() {
        publication = Objects.requireNonNull(opening.publication());
        image = Objects.requireNonNull(opening.image());
        if (!isOver) {
            events().connected();
        }
    }

    boolean isOver() {
        return isOver;
    }

    // ---- events ----

    int poll() {
        if (isOver) {
            return 0;
        }
        final Publication to = publication;
        final Image from = image;
        if (to == null || from == null) {
            return pollOpening();
        }
        int work = 0;
        if (isBlocked && to.isConnected() && to.availableWindow() > 0) {
            isBlocked = false;
            events().writable();
            work++;
        }
        final boolean isLast = from.isClosed() || from.isEndOfStream(); // before the bytes are polled
        if (!isOver) {
            work += from.controlledPoll(this, FRAGMENTS_MAX);
        }
        if (!isOver && failure != null) {
            end(failure);
        } else if (!isOver && isLast && work == 0) {
            end(new IOException(peer + " is gone"));
        }
        return work;
    }

    private int pollOpening() {
        try {
            if (!opening.poll()) {
                return 0;
            }
        } catch (IOException e) {
            end(e);
            return 1;
        }
        connected();
        return 1;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        final long kind = header.reservedValue();
        if (kind == Hello.DATA && length > 0) {
            final int term = term(buffer);
            events().bytes(termMemory[term], buffer.wrapAdjustment() + (long) offset, length);
        } else if (kind == Hello.CLOSE) {
            end(null);
        } else {
            end(new IOException(peer + " has said " + kind + " of " + length + " bytes in the middle"));
        }
        return isOver ? Action.BREAK : Action.CONTINUE;
    }

    /** Returns the index of the view of a term. */
    private int term(DirectBuffer buffer) {
        for (int i = 0; i < termCount; i++) {
            if (termAddress[i] == buffer.addressOffset()) {
                return i;
            }
        }
        final ByteBuffer bytes = Objects.requireNonNull(buffer.byteBuffer()).duplicate();
        bytes.clear();
        termAddress[termCount] = buffer.addressOffset();
        termMemory[termCount] = MemorySegment.ofBuffer(bytes);
        return termCount++;
    }

    /** Ends the link, and reports the end. */
    void end(@Nullable IOException why) {
        if (!isOver) {
            close();
            events().closed(why);
        }
    }

    // ---- writing ----

    @Override
    public int write(MemorySegment memory, long from, int bytes) {
        final Publication to = publication;
        if (isOver || to == null || failure != null) {
            return 0;
        }
        wrap(memory);
        int taken = 0;
        while (taken < bytes) {
            final int piece = Math.min(bytes - taken, to.maxMessageLength());
            final long result = to.offer(writeBuffer, (int) from + taken, piece);
            if (result > 0) {
                taken += piece;
            } else if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                failure = new IOException("the link to " + peer + " takes nothing more: "
                    + Publication.errorString(result));
                return taken;
            } else if (result != Publication.ADMIN_ACTION) {
                isBlocked = true;
                return taken;
            }
        }
        return taken;
    }

    /** New memory may have the address of freed memory, so an equal address is not enough. */
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    private void wrap(MemorySegment memory) {
        if (memory != writeMemory) {
            writeMemory = memory;
            if (memory.heapBase().orElse(null) instanceof byte[] array) {
                writeBuffer.wrap(array);
            } else {
                writeBuffer.wrap(memory.address(), (int) memory.byteSize());
            }
        }
    }

    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            if (publication != null) {
                publication.offer(EMPTY, 0, 1, (_, _, _) -> Hello.CLOSE);
            }
        }
    }

    /** Returns whether the driver has sent everything, as far as this side can know. */
    boolean isDrained(CountersReader counters) {
        if (publication == null || publication.isClosed() || !publication.isConnected()) {
            return true;
        }
        final int counter = counters.findByTypeIdAndRegistrationId(AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID,
            publication.registrationId());
        return counter < 0 || counters.getCounterValue(counter) >= publication.position();
    }

    /** Releases Aeron's resources of an ended link; not during an event. */
    boolean releaseIfOver() {
        if (isOver) {
            opening.release();
        }
        return isOver;
    }

    @Override
    public String peer() {
        return peer;
    }
}
