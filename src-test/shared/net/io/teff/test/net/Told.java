package io.teff.test.net;

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
    /** What has arrived. */
    public final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    /** The link. */
    @SuppressWarnings("NullAway.Init")                        // set by what has made the link
    public Link link;
    /** How often it was connected, which is once. */
    public int connected;
    /** How often more could be written. */
    public int writable;
    /** How often it has ended. */
    public int closed;
    /** Why it has ended. */
    public @Nullable IOException why;

    /** Makes a record of no events. */
    public Told() {}

    /** {@return what adds a record of each accepted link to a list} */
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
