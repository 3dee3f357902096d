package io.teff.recovery.log;

import io.teff.recovery.format.ZoneId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Delays threads that change chunks of a zone with few live bytes, until the zone is cleaned. All other threads read a
 * single field. Thread-safe.
 *
 * <p>A thread that writes to such a zone notes the zone, and waits later, without a lock.
 */
public final class ZonePressure {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ThreadLocal<@Nullable ZoneId> noted = new ThreadLocal<>();
    /** Zones that wait for cleaning; null while there are none, and permanently after the log has ended. */
    private volatile @Nullable Set<ZoneId> zones;
    private boolean isEnded;

    ZonePressure() {}

    /**
     * Notes that the calling thread has written to a zone.
     *
     * @param owner of the zone
     * @param zone its number
     */
    public void note(int owner, int zone) {
        final Set<ZoneId> now = zones;
        if (now != null) {
            final ZoneId id = new ZoneId(owner, zone);
            if (now.contains(id)) {
                noted.set(id);
            }
        }
    }

    /** {@return whether writers to any zone are to wait} */
    public boolean isOn() {
        return zones != null;
    }

    /**
     * Returns whether writers to a zone are to wait.
     *
     * @param owner of the zone
     * @param zone its number
     * @return whether it must be cleaned first
     */
    public boolean isOn(int owner, int zone) {
        final Set<ZoneId> now = zones;
        return now != null && now.contains(new ZoneId(owner, zone));
    }

    /** Waits until the zone that the calling thread has noted last, if any, is cleaned or cannot be cleaned. */
    public void await() {
        if (zones != null) {
            final ZoneId id = noted.get();
            if (id != null) {
                noted.remove();
                await(id);
            }
        }
    }

    private void await(ZoneId id) {
        lock.lock();
        try {
            for (Set<ZoneId> now = zones; now != null && now.contains(id); now = zones) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins or ends the delay of writers to a zone. */
    void set(ZoneId id, boolean isOn) {
        lock.lock();
        try {
            final Set<ZoneId> before = zones;
            final Set<ZoneId> next = before == null ? new HashSet<>() : new HashSet<>(before);
            final boolean isChanged = isOn && !isEnded ? next.add(id) : next.remove(id);
            if (isChanged) {
                zones = next.isEmpty() ? null : next;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all delays: nothing is cleaned any more. */
    void end() {
        lock.lock();
        try {
            isEnded = true;
            zones = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
