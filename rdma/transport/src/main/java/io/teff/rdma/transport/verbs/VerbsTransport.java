package io.teff.rdma.transport.verbs;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.rdma.RdmaException;
import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.transport.Sleeper;
import io.teff.rdma.verbs.connect.ConnectionEvent;
import io.teff.rdma.verbs.connect.ConnectionEventType;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.rdma.verbs.connect.ConnectionSettings;
import io.teff.rdma.verbs.device.DescriptorWait;
import io.teff.rdma.verbs.device.RdmaContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Links over RDMA devices, {@code verbs:host:port}, where the host is the IP address of a device.
 *
 * <p>The first call of {@link #listen} or {@link #connect} loads the libraries. The agent looks for completions in each
 * poll, and for events of connections each {@link #EVENTS_NS}, because a look for events takes a system call.
 */
final class VerbsTransport extends RdmaTransport<VerbsLink> {
    static final String SCHEME = "verbs";
    /** The private data of both sides of a connection; the device may append zeros. */
    private static final byte[] HELLO = "TEFFVRB1".getBytes(StandardCharsets.US_ASCII);
    private static final ConnectionSettings SETTINGS = ConnectionSettings.standard().withPrivateData(HELLO);
    private static final int RESOLVE_MS = 2_000;
    private static final int BACKLOG = 256;
    /** Accepted links without a connection: a further link ends the oldest link. */
    private static final int GREETINGS_MAX = 256;
    private static final long GREETING_NS = 10_000_000_000L;
    private static final long EVENTS_NS = 200_000;
    private static final int EVENTS_MAX = 64;
    private static final int RELEASES_MAX = 16;
    /** Ended links whose queue pairs wait for the last receive: a further link destroys the oldest queue pair. */
    private static final int ENDING_MAX = 256;
    /** Longest wait for the last receive of a queue pair; devices report the last receive within microseconds. */
    private static final long ENDING_NS = 100_000_000;
    private static final int DEVICES_MAX = DescriptorWait.DESCRIPTORS_MAX - 1;
    /** Longest wait while links close or connect. */
    private static final long LOOK_NS = 10_000_000;

    private final Clock clock;
    private @Nullable ConnectionManager manager;
    private @Nullable DescriptorWait wait;
    private @Nullable Sleeper sleeper;
    private final List<VerbsDevice> devices = new ArrayList<>();
    private final Map<ConnectionId, Acceptor> doors = new HashMap<>();
    private final Map<ConnectionId, VerbsLink> links = new HashMap<>();
    private final List<VerbsLink> greeting = new ArrayList<>();
    private final List<VerbsLink> closing = new ArrayList<>();
    private final ArrayDeque<VerbsLink> failed = new ArrayDeque<>();
    private final ArrayDeque<VerbsLink> discarded = new ArrayDeque<>();
    /** Ended links whose queue pairs wait for the last receive. */
    private final List<VerbsLink> ending = new ArrayList<>();
    private long eventsNs;

    /** The sleep in the descriptors of the devices and of the connection manager. */
    private final class Sleep implements Sleeper {
        private final DescriptorWait in;

        Sleep(DescriptorWait in) {
            this.in = in;
        }

        @Override
        public void sleep(long timeoutNs) {
            boolean isQuiet = true;
            for (int i = 0; i < devices.size() && isQuiet; i++) {
                isQuiet = !devices.get(i).arm();
            }
            if (isQuiet) {
                in.await(isSettled() ? timeoutNs : Math.min(timeoutNs, LOOK_NS));
            }
            for (int i = 0; i < devices.size(); i++) {
                devices.get(i).disarm();
            }
            eventsNs = nowNs() - EVENTS_NS;
        }

        @Override
        public void signal() {
            in.wake();
        }
    }

    VerbsTransport(Platform platform) {
        super(SCHEME, List.of());
        clock = platform.clock();
    }

    private ConnectionManager manager() throws IOException {
        if (manager != null) {
            return manager;
        }
        try {
            final ConnectionManager opened = ConnectionManager.open();
            final DescriptorWait opens = DescriptorWait.open();
            opens.add(opened.descriptor());
            wait = opens;
            sleeper = new Sleep(opens);
            manager = opened;
            return opened;
        } catch (RdmaUnavailableException e) {
            throw new AddressException("addresses of the scheme " + SCHEME + " need librdmacm and libibverbs: "
                + e.getMessage());
        } catch (RdmaException e) {
            throw new IOException("this machine has no RDMA connections: " + e.getMessage(), e);
        }
    }

    long nowNs() {
        return clock.nowNs();
    }

    // ---- listeners and dials ----

    @Override
    public String listen(String address, Acceptor acceptor) throws IOException {
        final RdmaAddress wanted = parse(address);
        final ConnectionManager opened = manager();
        try {
            final ConnectionId listener = opened.listen(wanted.resolved(), BACKLOG);
            doors.put(listener, acceptor);
            return wanted.published(Objects.requireNonNull(listener.localAddress()));
        } catch (RdmaException e) {
            throw (IOException) new BindException("cannot listen at " + address + ": " + e.getMessage()).initCause(e);
        }
    }

    @Override
    protected VerbsLink dialed(String peer, RdmaAddress to, LinkEvents events) throws IOException {
        manager();
        return VerbsLink.dialed(this, peer, events);
    }

    @Override
    protected void dial(VerbsLink link, InetSocketAddress to) throws IOException {
        final ConnectionId connection = manager().connection();
        try {
            connection.resolveAddress(null, to, RESOLVE_MS);
        } catch (RdmaException e) {
            connection.close();
            throw new IOException(link.peer() + ": " + e.getMessage(), e);
        }
        link.connecting(connection, nowNs());
        links.put(connection, link);
    }

    private VerbsDevice device(RdmaContext context) {
        for (VerbsDevice device : devices) {
            if (device.context().equals(context)) {
                return device;
            }
        }
        if (devices.size() == DEVICES_MAX) {
            throw new RdmaException("device", "there are " + DEVICES_MAX + " in use");
        }
        final VerbsDevice device = new VerbsDevice(context, clock);
        devices.add(device);
        Objects.requireNonNull(wait).add(device.descriptor());
        return device;
    }

    /** Returns whether no link waits for a time. */
    private boolean isSettled() {
        return closing.isEmpty() && greeting.isEmpty() && ending.isEmpty();
    }

    // ---- events of connections ----

    private int pollEvents(ConnectionManager from) {
        int work = 0;
        for (ConnectionEvent event = from.await(0); event != null; event = from.await(0)) {
            handle(event);
            if (++work == EVENTS_MAX) {
                break;
            }
        }
        return work;
    }

    private void handle(ConnectionEvent event) {
        final ConnectionId connection = event.connection();
        if (connection == null) {
            return;
        }
        final VerbsLink link = links.get(connection);
        if (link == null) {
            if (event.type() == ConnectionEventType.CONNECT_REQUEST) {
                accept(connection, event);
            }
            return;
        }
        try {
            advance(link, connection, event);
        } catch (RdmaException | IllegalStateException e) {
            link.end(new IOException(link.peer() + ": " + e.getMessage(), e));
        }
    }

    private void advance(VerbsLink link, ConnectionId connection, ConnectionEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> connection.resolveRoute(RESOLVE_MS);
            case ROUTE_RESOLVED -> {
                link.pairWith(device(connection.context()));
                connection.connect(SETTINGS);
            }
            case ESTABLISHED -> {
                link.receives();
                if (link.isAccepted() || isHello(event)) {
                    link.established();
                } else {
                    link.end(new IOException(link.peer() + " does not speak this protocol, or another version of it"));
                }
            }
            case DISCONNECTED -> {
                pollAll();                                      // hands on earlier messages
                link.end(null);
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL ->
                link.end(new IOException(link.peer() + ": " + event.type() + ", status " + event.status()));
            default -> { }
        }
    }

    private static boolean isHello(ConnectionEvent event) {
        final byte[] said = event.privateData();
        return said.length >= HELLO.length && Arrays.equals(Arrays.copyOf(said, HELLO.length), HELLO);
    }

    private void accept(ConnectionId connection, ConnectionEvent event) {
        final ConnectionId listener = event.listener();
        final Acceptor acceptor = listener == null ? null : doors.get(listener);
        try {
            if (acceptor == null || !isHello(event)) {
                connection.reject(HELLO);
                connection.close();
                return;
            }
            if (greeting.size() == GREETINGS_MAX) {
                greeting.removeFirst().close();
            }
            final InetSocketAddress from = connection.remoteAddress();
            final VerbsLink link = VerbsLink.accepted(this,
                from == null ? SCHEME + ":unknown" : RdmaAddress.text(SCHEME, from), acceptor);
            link.connecting(connection, nowNs() + GREETING_NS);
            links.put(connection, link);
            greeting.add(link);
            link.pairWith(device(connection.context()));
            link.receives();
            connection.accept(SETTINGS);
        } catch (RdmaException | IllegalStateException _) {
            final VerbsLink link = links.get(connection);       // the caller is gone, or there is no room for a link
            if (link == null) {
                connection.close();
            } else {
                link.close();
            }
        }
    }

    // ---- the duty ----

    @Override
    protected int pollLinks() {
        final ConnectionManager opened = manager;
        if (opened == null) {
            return 0;
        }
        int work = 0;
        final long nowNs = nowNs();
        if (nowNs - eventsNs >= EVENTS_NS) {
            eventsNs = nowNs;
            work += pollEvents(opened);
            endLate(nowNs);
            work += ending.isEmpty() ? 0 : pollEnding(nowNs);
        }
        work += pollAll();
        work += closing.isEmpty() ? 0 : pollClosing(nowNs());
        for (VerbsLink link = failed.poll(); link != null; link = failed.poll()) {
            link.reportFailure();
            work++;
        }
        return work + (discarded.isEmpty() ? 0 : release(RELEASES_MAX));
    }

    private int pollAll() {
        int work = 0;
        for (int i = 0; i < devices.size(); i++) {
            work += devices.get(i).poll();
        }
        return work;
    }

    private void endLate(long nowNs) {
        for (int i = 0; i < greeting.size(); i++) {
            final VerbsLink link = greeting.get(i);
            if (!link.isConnecting() || link.isLate(nowNs)) {
                greeting.remove(i--);
                if (link.isConnecting()) {
                    link.close();                               // without events: the link was never handed out
                }
            }
        }
    }

    private int pollClosing(long nowNs) {
        int work = 0;
        for (int i = 0; i < closing.size(); i++) {
            final VerbsLink link = closing.get(i);
            if (link.isDrained() || link.isLate(nowNs)) {
                addCutShort(link.isDrained() ? 0 : 1);
                closing.remove(i--).drained();
                work++;
            }
        }
        return work;
    }

    private int release(int countMax) {
        int count = 0;
        while (count < countMax && !discarded.isEmpty()) {
            final VerbsLink link = discarded.remove();
            if (link.disconnect(nowNs() + ENDING_NS)) {
                ending.add(link);
            } else {
                release(link);
            }
            count++;
        }
        return count;
    }

    private void release(VerbsLink link) {
        final ConnectionId connection = link.release();
        if (connection != null) {
            links.remove(connection);
        }
    }

    /** Destroys queue pairs after the last receive or a long wait; returns the number of destroyed queue pairs. */
    private int pollEnding(long nowNs) {
        for (int i = 0; i < devices.size(); i++) {
            devices.get(i).pollEvents(EVENTS_MAX);
        }
        int work = 0;
        for (int i = 0; i < ending.size(); i++) {
            final VerbsLink link = ending.get(i);
            if (link.isQuiet() || link.isLate(nowNs) || ending.size() > ENDING_MAX) {
                if (work++ == 0) {
                    pollAll();                                  // some devices forget results with the queue pair
                }
                ending.remove(i--);
                release(link);
            }
        }
        return work;
    }

    // ---- for links ----

    /** Takes note of a link that is connected. */
    void opened(VerbsLink link) {
        greeting.remove(link);
    }

    /** Reports the failure of a link in this poll or in the next poll. */
    void failed(VerbsLink link) {
        failed.add(link);
    }

    /** Waits until the peer has all bytes of a link. */
    void drain(VerbsLink link) {
        if (closing.size() >= CLOSING_MAX && manager != null) {
            addCutShort(1);
            closing.removeFirst().drained();
        }
        closing.add(link);
    }

    /** Ends a link that is over when no event runs. */
    void discard(VerbsLink link) {
        discarded.add(link);
    }

    // ---- waiting and the end ----

    @Override
    protected boolean hasWork() {
        return !failed.isEmpty() || !discarded.isEmpty();
    }

    @Override
    protected @Nullable Sleeper sleeper() {
        return sleeper;
    }

    @Override
    protected void closeLinks() {
        final ConnectionManager opened = manager;
        if (opened == null) {
            return;
        }
        manager = null;
        List.copyOf(links.values()).forEach(VerbsLink::close);
        final long beginNs = nowNs();
        while (!closing.isEmpty() && nowNs() - beginNs < CLOSE_NS) {
            if (pollAll() == 0) {
                Thread.onSpinWait();
            }
            pollClosing(nowNs());
        }
        addCutShort(closing.size());
        closing.forEach(VerbsLink::drained);
        closing.clear();
        release(Integer.MAX_VALUE);
        ending.forEach(this::release);
        ending.clear();
        Objects.requireNonNull(wait).close();
        opened.close();
        devices.forEach(VerbsDevice::close);
        devices.clear();
    }
}
