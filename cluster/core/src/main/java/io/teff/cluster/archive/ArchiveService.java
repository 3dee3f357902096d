package io.teff.cluster.archive;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import io.teff.engine.raw.RawCids;
import io.teff.engine.zone.ZoneFill;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests to read and to fill the zones of a peer. A zone has at most one reader and one filler; a later one
 * takes the place of an earlier one. Thread-safe.
 */
public final class ArchiveService {
    private static final int THREADS = 2;
    /** All readers of a peer together may keep this many bytes of changes. */
    private static final long TAP_BYTES = 64 << 20;
    private static final int READERS_MAX = 4;

    private final ArchiveHome home;
    /** The oldest session first. */
    private final Map<Integer, Session<ZoneReading>> readings = new LinkedHashMap<>();
    private final Map<Integer, Session<ZoneFilling>> fillings = new HashMap<>();
    private long sessions;

    /** A reader or filler; its lock is held by the request that uses it. */
    private record Session<T>(long number, T of) {}

    /**
     * Creates a service.
     *
     * @param home the peer
     */
    public ArchiveService(ArchiveHome home) {
        this.home = home;
    }

    /**
     * Registers the handler.
     *
     * @param network of the peer
     */
    public void register(Network network) {
        network.answerLater(ArchiveMessages.ARCHIVE, HandledBy.pool("archive", THREADS),
            (_, request, answer) -> answer(request, answer));
    }

    private void answer(ArchiveRequest request, Answer<ArchiveAnswer> answer) {
        try {
            switch (request.code()) {
                case ArchiveRequest.READ -> answer.complete(read(request));
                case ArchiveRequest.NEXT -> next(request, answer);
                case ArchiveRequest.LEAVE -> answer.complete(leave(request));
                case ArchiveRequest.FILL -> answer.complete(fill(request));
                case ArchiveRequest.PUT -> answer.complete(put(request));
                case ArchiveRequest.PUBLISH -> publish(request, answer);
                default -> answer.complete(refused("there is no request " + request.code()));
            }
        } catch (NoSuchElementException _) {                    // the zone was dropped
            answer.complete(ArchiveAnswer.of(ArchiveAnswer.NOT_HERE));
        } catch (StoreException e) {
            answer.complete(PeerBusy.is(e) || e.category() == StoreException.Category.RETRY
                ? ArchiveAnswer.of(ArchiveAnswer.BUSY)
                : refused(FailureText.of(e)));
        }
    }

    private static ArchiveAnswer refused(String why) {
        return new ArchiveAnswer(ArchiveAnswer.REFUSED, 0, 0, why.getBytes(StandardCharsets.UTF_8));
    }

    private static <T> @Nullable T find(Map<Integer, Session<T>> all, ArchiveRequest request) {
        synchronized (all) {
            final Session<T> session = all.get(request.zone());
            return session == null || session.number() != request.session() ? null : session.of();
        }
    }

    private <T> long add(Map<Integer, Session<T>> all, int zone, T of) {
        final long number;
        synchronized (this) {
            number = ++sessions;
        }
        synchronized (all) {
            all.put(zone, new Session<>(number, of));
        }
        return number;
    }

    @SuppressWarnings("ReferenceEquality")                      // each reading and filling is an object of its own
    private static <T> void remove(Map<Integer, Session<T>> all, int zone, T of) {
        synchronized (all) {
            final Session<T> session = all.get(zone);
            if (session != null && session.of() == of) {
                all.remove(zone);
            }
        }
    }

    // ---- reading ----

    private ArchiveAnswer read(ArchiveRequest request) {
        final int zone = request.zone();
        final ChunkStore store = home.host().serving(zone);
        final SlotTable slots = home.host().slots(zone);
        final ZoneShipment shipment = home.shipper().zone(zone);
        if (store == null || slots == null || shipment == null) {
            return ArchiveAnswer.of(ArchiveAnswer.NOT_HERE);
        }
        evict(zone);
        final ZoneReading reading = new ZoneReading(home, zone, shipment, slots.maps(), request.content(),
            TAP_BYTES / READERS_MAX);
        return new ArchiveAnswer(ArchiveAnswer.DONE, add(readings, zone, reading), 0, ArchiveRequest.NONE);
    }

    /** Makes room for a reader of a zone: the oldest readers may have gone. */
    private void evict(int zone) {
        synchronized (readings) {
            readings.values().removeIf(session -> session.of().isBroken());
            final Session<ZoneReading> before = readings.remove(zone);
            if (before != null) {
                before.of().end();
            }
            final Iterator<Session<ZoneReading>> oldest = readings.values().iterator();
            while (readings.size() >= READERS_MAX) {
                oldest.next().of().end();
                oldest.remove();
            }
        }
    }

    private void next(ArchiveRequest request, Answer<ArchiveAnswer> answer) {
        final int zone = request.zone();
        final ZoneReading reading = find(readings, request);
        if (reading == null || home.host().serving(zone) == null) {
            answer.complete(ArchiveAnswer.of(reading == null ? ArchiveAnswer.LOST : ArchiveAnswer.NOT_HERE));
            return;
        }
        final ArchiveAnswer part;
        final boolean isLast;
        synchronized (reading) {
            isLast = !reading.step(home);
            part = new ArchiveAnswer(isLast ? ArchiveAnswer.END : ArchiveAnswer.DONE, request.session(),
                reading.cut(), reading.entries());
        }
        if (reading.isBroken()) {
            remove(readings, zone, reading);
            answer.complete(ArchiveAnswer.of(ArchiveAnswer.LOST));
        } else if (isLast) {
            reading.end();
            remove(readings, zone, reading);
            home.host().afterReadOfAll(zone, verdict -> answer.complete(verdict == Verdict.SERVED ? part
                : ArchiveAnswer.of(ArchiveAnswer.NOT_HERE)));
        } else {
            answer.complete(part);
        }
    }

    private ArchiveAnswer leave(ArchiveRequest request) {
        final ZoneReading reading = find(readings, request);
        if (reading != null) {
            reading.end();
            remove(readings, request.zone(), reading);
        }
        return ArchiveAnswer.of(ArchiveAnswer.END);
    }

    // ---- filling ----

    /** Begins to fill an empty zone. With a content, the zone may have chunks, which are removed. */
    private ArchiveAnswer fill(ArchiveRequest request) {
        final int zone = request.zone();
        final ChunkStore store = home.host().serving(zone);
        if (store != null && home.memory().stats(zone).chunks() > 0) {
            if (request.content().length == 0) {
                return refused("zone " + zone + " has chunks");
            }
            ZoneFilling.remove(home, zone, RawCids.of(store));
        }
        final ZoneFill fill = home.refill(zone);
        return fill == null ? ArchiveAnswer.of(ArchiveAnswer.NOT_HERE) : new ArchiveAnswer(ArchiveAnswer.DONE,
            add(fillings, zone, new ZoneFilling(home, fill)), 0, ArchiveRequest.NONE);
    }

    private ArchiveAnswer put(ArchiveRequest request) {
        final ZoneFilling filling = find(fillings, request);
        if (filling == null || !home.isFilling(filling.fill())) {
            return ArchiveAnswer.of(ArchiveAnswer.LOST);
        }
        final String fault = EntryBytes.fault(request.content(), request.zone());
        if (fault != null) {
            return refused(fault);
        }
        synchronized (filling) {
            filling.put(EntryBytes.of(request.content()));
        }
        return ArchiveAnswer.of(ArchiveAnswer.DONE);
    }

    private void publish(ArchiveRequest request, Answer<ArchiveAnswer> answer) {
        final int zone = request.zone();
        final ZoneFilling filling = find(fillings, request);
        if (filling == null || !home.publish(filling.fill())) {
            answer.complete(ArchiveAnswer.of(ArchiveAnswer.LOST));
            return;
        }
        remove(fillings, zone, filling);
        home.host().afterChange(zone, 0, WriteLevel.BACKED_SYNCED, verdict -> answer.complete(
            ArchiveAnswer.of(verdict == Verdict.SERVED ? ArchiveAnswer.END : ArchiveAnswer.NOT_HERE)));
    }
}
