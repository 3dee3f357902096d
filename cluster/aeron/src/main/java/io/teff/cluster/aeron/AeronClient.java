package io.teff.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.AvailableImageHandler;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The work of a transport with a media driver. Used by the agent's thread only. The agent's thread also does the work
 * of Aeron's client, so Aeron's client has no thread.
 *
 * <p>If the driver is gone, or has closed this client because of a long silence, all links are closed. When a driver
 * runs again, a new client is created, and the listeners listen again.
 */
final class AeronClient {
    static final int NONE = -1;

    private static final long DRIVER_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(5);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long DRAIN_LOOK_NS = 20_000;

    private final String folder;
    private final boolean isEmbedded;
    private final List<AeronListener> listeners = new ArrayList<>();
    private final List<AeronLink> links = new ArrayList<>();
    private @Nullable Aeron aeron;
    private @Nullable Throwable failure;
    private long nextTryNs;

    /** Makes a client of the driver in a folder. */
    AeronClient(String folder) throws IOException {
        this.folder = folder;
        this.isEmbedded = folder.equals(EmbeddedDriver.folder());
        if (isEmbedded) {
            EmbeddedDriver.acquire();
        }
        boolean isDone = false;
        try {
            connect();
            isDone = true;
        } finally {
            if (!isDone && isEmbedded) {
                EmbeddedDriver.release();
            }
        }
    }

    private void connect() throws IOException {
        if (isEmbedded) {
            EmbeddedDriver.ensure();
        } else if (!DriverFolder.isActive(Path.of(folder), DRIVER_TIMEOUT_MS)) {
            throw new IOException("no media driver of Aeron runs in " + folder);
        }
        try {
            failure = null;
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(folder)
                .driverTimeoutMs(DRIVER_TIMEOUT_MS)
                .useConductorAgentInvoker(true)
                .errorHandler(it -> failure = it)
                .subscriberErrorHandler(AeronClient::rethrow)
                .clientName("teff"));
        } catch (RuntimeException e) {                          // of Aeron, or of a driver that ends
            throw new IOException("the media driver of Aeron in " + folder + " does not answer: "
                + FailureText.of(e), e);
        }
    }

    /** Rethrows exceptions of the code that takes bytes: Aeron must not handle these exceptions. */
    private static void rethrow(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw thrown instanceof RuntimeException error ? error : new IllegalStateException(thrown);
    }

    long nowNs() {
        return Clock.SYSTEM.nowNs();
    }

    /** Waits, whether or not the thread is interrupted; for loops that check a condition. */
    void pause(long ns) {
        Clock.SYSTEM.pause(this, ns);
    }

    String folder() {
        return folder;
    }

    void add(AeronListener listener) {
        listeners.add(listener);
    }

    void remove(AeronListener listener) {
        listeners.remove(listener);
    }

    void add(AeronLink link) {
        links.add(link);
    }

    // ---- the duty cycle ----

    int poll() {
        if (aeron == null) {
            links.removeIf(AeronLink::releaseIfOver);           // the hosts of these links were looked up meanwhile
            return reconnect();
        }
        int work = pollDriver();
        if (aeron.isClosed()) {
            lose();
            return 1;
        }
        for (int i = 0; i < listeners.size(); i++) {
            work += listeners.get(i).poll();
        }
        boolean isAnyOver = false;
        for (int i = 0; i < links.size(); i++) {
            work += links.get(i).poll();
            isAnyOver |= links.get(i).isOver();
        }
        if (isAnyOver) {
            links.removeIf(AeronLink::releaseIfOver);
        }
        return work;
    }

    /** Takes the driver's answers. */
    int pollDriver() {
        return aeron == null ? 0 : Objects.requireNonNull(aeron.conductorAgentInvoker()).invoke();
    }

    private void lose() {
        final IOException why = new IOException("the media driver of Aeron in " + folder + " is gone", failure);
        aeron = null;
        nextTryNs = nowNs();
        for (int i = 0; i < links.size(); i++) {
            links.get(i).end(why);
        }
        links.clear();
        listeners.forEach(AeronListener::lose);
    }

    private int reconnect() {
        if (nowNs() - nextTryNs < 0) {
            return 0;
        }
        nextTryNs = nowNs() + RETRY_NS;
        try {
            connect();
            return 1;
        } catch (IOException e) {
            failure = e;                                        // the cause of the next loss; connecting is tried again
            return 0;
        }
    }

    // ---- Aeron's objects: a failure is reported as a failure of a link ----

    /** Throws if there is no driver now. */
    void check() throws IOException {
        aeron();
    }

    private Aeron aeron() throws IOException {
        if (aeron == null) {
            throw new IOException("the media driver of Aeron in " + folder + " is gone", failure);
        }
        return aeron;
    }

    long addSubscription(String channel, int stream, AvailableImageHandler arrived) throws IOException {
        try {
            return aeron().asyncAddSubscription(channel, stream, arrived, null);
        } catch (AeronException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    long addPublication(String channel, int stream) throws IOException {
        try {
            return aeron().asyncAddExclusivePublication(channel, stream);
        } catch (AeronException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    /** Returns the subscription; null if the subscription is not ready yet. */
    @Nullable Subscription subscription(long id) throws IOException {
        try {
            return aeron().getSubscription(id);
        } catch (AeronException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    /** Returns the publication; null if the publication is not ready yet. */
    @Nullable ExclusivePublication publication(long id) throws IOException {
        try {
            return aeron().getExclusivePublication(id);
        } catch (AeronException e) {
            throw new IOException(FailureText.of(e), e);
        }
    }

    /** Removes a subscription, ready or not. */
    void removeSubscription(long id) {
        if (aeron != null && id != NONE) {
            aeron.asyncRemoveSubscription(id);
        }
    }

    /** Removes a publication, ready or not. */
    void removePublication(long id) {
        if (aeron != null && id != NONE) {
            aeron.asyncRemovePublication(id);
        }
    }

    // ---- the end ----

    /** Closes the client if its driver is gone and no link or listener waits for a new driver. */
    boolean closeIfUseless() {
        final boolean isUseless = aeron == null && listeners.isEmpty() && links.isEmpty();
        if (isUseless) {
            close();
        }
        return isUseless;
    }

    void close() {
        links.forEach(AeronLink::close);
        if (aeron != null) {
            final long end = nowNs() + AeronLink.DRAIN_NS;
            while (links.stream().anyMatch(it -> !it.isDrained(aeron.countersReader())) && nowNs() - end < 0) {
                pause(DRAIN_LOOK_NS);
            }
            aeron.close();
        }
        listeners.forEach(AeronListener::close);
        if (isEmbedded) {
            EmbeddedDriver.release();
        }
    }
}
