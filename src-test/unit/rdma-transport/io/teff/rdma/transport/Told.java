package io.teff.rdma.transport;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the events of a link. */
public final class Told implements LinkEvents {
    public final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    @SuppressWarnings("NullAway.Init")                        // set by whoever has made the link
    public Link link;
    public int connected;
    public int writable;
    public int closed;
    public @Nullable IOException why;

    /** Returns what adds a record of each accepted link to a list. */
    public static Acceptor into(List<Told> list) {
        return link -> {
            final Told told = new Told();
            told.link = link;
            list.add(told);
            return told;
        };
    }

    @Override
    public void connected() {
        connected++;
    }

    @Override
    public void bytes(MemorySegment memory, long from, int count) {
        bytes.writeBytes(memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void writable() {
        writable++;
    }

    @Override
    public void closed(@Nullable IOException reason) {
        closed++;
        why = reason;
    }

    @Override
    public String toString() {
        return link + ": connected " + connected + ", " + bytes.size() + " bytes, writable " + writable + ", closed "
            + closed + " " + why;
    }
}
