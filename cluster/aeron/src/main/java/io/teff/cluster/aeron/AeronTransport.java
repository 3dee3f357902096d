package io.teff.cluster.aeron;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.engine.os.Chance;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Links over Aeron. No class of Aeron is used, and no driver started, before the first call of {@link #listen} or
 * {@link #connect}.
 *
 * <p>Aeron does not report arrivals, so {@link #await} parks, for longer and longer while nothing arrives.
 */
final class AeronTransport implements Transport {
    private static final long LISTEN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PARK_MIN_NS = 20_000;
    private static final long PARK_MAX_NS = 1_000_000;

    private final List<AeronClient> clients = new ArrayList<>();
    /** The driver of the first listening address with a driver; addresses without a driver use this driver, too. */
    private @Nullable String driver;
    private long parkNs = PARK_MIN_NS;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;

    private AeronClient client(AeronAddress address) throws IOException {
        final String named = address.driver() == null ? driver : address.driver();
        final String folder = named == null ? EmbeddedDriver.folder() : named;
        for (AeronClient aeronClient : clients) {
            if (aeronClient.folder().equals(folder)) {
                return aeronClient;
            }
        }
        final AeronClient client = new AeronClient(folder);
        clients.add(client);
        return client;
    }

    @Override
    public String listen(String address, Acceptor acceptor) throws IOException {
        AeronAddress wanted = AeronAddress.parse(address).numbered();
        JvmFlag.check();
        if (wanted.stream() == 0) {
            wanted = wanted.withStream(Chance.SYSTEM.nextInt(1, Integer.MAX_VALUE));
        }
        if (driver == null) {
            driver = wanted.driver();
        }
        final AeronClient client = client(wanted);
        final AeronListener listener = new AeronListener(client, wanted, acceptor);
        client.add(listener);
        boolean isDone = false;
        try {
            final long end = client.nowNs() + LISTEN_NS;
            while (!listener.listen()) {
                if (client.nowNs() - end > 0) {
                    throw new IOException("the media driver of Aeron does not answer");
                }
                client.pause(PARK_MIN_NS);
                client.pollDriver();
            }
            isDone = true;
            final AeronAddress is = listener.address();
            return is.withDriver(is.isIpc() ? client.folder() : null).toString();
        } catch (IOException e) {
            throw (IOException) new BindException(address + ": " + FailureText.of(e)).initCause(e);
        } finally {
            if (!isDone) {
                client.remove(listener);
                listener.close();
            }
        }
    }

    @Override
    public boolean isLocal(String address) throws IOException {
        return AeronAddress.parse(address).isLocal();
    }

    @Override
    public @Nullable String hostName(String address) throws IOException {
        final AeronAddress to = AeronAddress.parse(address);
        return to.isNamed() ? to.host() : null;
    }

    @Override
    public String numbered(String address, InetAddress host) throws IOException {
        return AeronAddress.parse(address).numbered(host).toString();
    }

    @Override
    public Link connect(String address, LinkEvents events) throws IOException {
        final AeronAddress to = AeronAddress.parse(address);
        if (to.isNamed()) {
            throw new IOException("unknown host of " + address + ": the name was not looked up");
        }
        JvmFlag.check();
        if (to.isIpc() ? to.stream() == 0 : to.port() == 0) {
            throw new IOException(address + " is not an address of a listener");
        }
        final AeronClient client = client(to);
        client.check();
        final AeronLink link = new AeronLink(new DialerSetup(client, to));
        link.open(events);
        client.add(link);
        return link;
    }

    @Override
    public int poll() {
        int work = 0;
        for (int i = 0; i < clients.size(); i++) {
            work += clients.get(i).poll();
        }
        clients.removeIf(AeronClient::closeIfUseless);
        if (work > 0) {
            parkNs = PARK_MIN_NS;
        }
        return work;
    }

    /** Returns the number of drivers in use by the transport. */
    int clientCount() {
        return clients.size();
    }

    @Override
    public void await(long timeoutNs) {
        waiting = Thread.currentThread();
        if (!isAwake && timeoutNs > 0) {
            Threads.rest(this, Math.min(timeoutNs, parkNs));
            parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
        }
        waiting = null;
        isAwake = false;
    }

    @Override
    public void wakeUp() {
        isAwake = true;
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void close() {
        clients.forEach(AeronClient::close);
        clients.clear();
    }
}
