package io.teff.cluster.aeron;

import io.aeron.Image;
import io.aeron.Subscription;
import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A stream to listen at: an image of the stream is a link if the first message is a CONNECT. */
final class AeronListener {
    /** Limit of links with an incomplete setup. Above the limit the oldest is closed; honest peers are faster. */
    static final int OPENING_MAX = 256;

    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    private final AeronClient client;
    private final Acceptor acceptor;
    private final List<Image> arrivals = new ArrayList<>();
    private final List<ListenerSetup> opening = new ArrayList<>();
    private final String taken;
    private AeronAddress address;
    private long id = AeronClient.NONE;
    private @Nullable Subscription subscription;

    /** Makes a listener; {@link #listen} begins to listen. */
    AeronListener(AeronClient client, AeronAddress address, Acceptor acceptor) throws BindException {
        this.client = client;
        this.address = address;
        this.acceptor = acceptor;
        this.taken = client.folder() + " " + address.withDriver(null);
        if (!(address.port() == 0 && !address.isIpc()) && !TAKEN.add(taken)) {
            throw new BindException(address + " is listened at already");
        }
    }

    AeronAddress address() {
        return address;
    }

    /** Returns the number of links with an incomplete setup. */
    int openingCount() {
        return opening.size();
    }

    /** Begins to listen; returns false if the caller has to call again. */
    boolean listen() throws IOException {
        if (subscription == null) {
            if (id == AeronClient.NONE) {
                id = client.addSubscription(address.receiving(), address.stream(), arrivals::add);
            }
            subscription = client.subscription(id);
        }
        if (subscription != null && address.port() == 0 && !address.isIpc()) {
            final String endpoint = subscription.resolvedEndpoint();
            if (endpoint == null) {
                return false;
            }
            address = address.at(String.valueOf(address.host()), AeronAddress.portOf(endpoint));
        }
        return subscription != null;
    }

    /** Starts again with a new client, because the driver is gone. */
    void lose() {
        id = AeronClient.NONE;
        subscription = null;
        arrivals.clear();
        opening.clear();
    }

    int poll() {
        try {
            if (!listen()) {
                return 0;
            }
        } catch (IOException _) {
            lose();                                             // a process has taken the port, maybe not for long
            return 0;
        }
        int work = arrivals.size();
        for (int i = 0; i < arrivals.size(); i++) {
            arrive(arrivals.get(i));
        }
        arrivals.clear();
        for (int i = opening.size() - 1; i >= 0; i--) {
            work += poll(opening.get(i));
        }
        return work;
    }

    /** Takes an image. An image that begins behind the start of its stream belongs to an ended link. */
    private void arrive(Image image) {
        if (image.joinPosition() != 0 || image.termBufferLength() > AeronAddress.TERM_BYTES_MAX) {
            ListenerSetup.refuse(image);
            return;
        }
        if (opening.size() == OPENING_MAX) {
            opening.removeFirst().release();
        }
        opening.add(new ListenerSetup(client, address, image));
    }

    private int poll(ListenerSetup link) {
        try {
            if (!link.poll()) {
                return 0;
            }
            opening.remove(link);
            accept(link);
        } catch (IOException _) {
            opening.remove(link);
            link.release();
        }
        return 1;
    }

    private void accept(ListenerSetup opened) {
        final AeronLink link = new AeronLink(opened);
        client.add(link);
        final LinkEvents events = acceptor.accepted(link);
        link.openMade(events);
    }

    /** Frees the address for a new listener. */
    void close() {
        TAKEN.remove(taken);
    }
}
