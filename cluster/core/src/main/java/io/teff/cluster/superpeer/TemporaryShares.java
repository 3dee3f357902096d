package io.teff.cluster.superpeer;

import io.teff.cluster.registry.NameRow;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.registry.RegistryStep;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The shares of clients in the names with a time to live, as far as the leading superpeer has proposed these names. A
 * client over its share is refused without a command, so that one client cannot take the room of all. A new leader
 * begins with empty shares: then a client may get another share, within the limit of all such names. Thread-safe.
 *
 * <p>A repeated step is never refused because of a share: the first execution may have been done.
 */
final class TemporaryShares {
    /** Most bytes of the names with a time to live of one principal, or of one client without a principal. */
    static final long BYTES_MAX = RegistryLimits.TEMPORARY_BYTES_MAX / 4;

    /** Guarded by this object, as the sums. */
    private final Map<String, Share> byName = new HashMap<>();
    private final Map<Object, Long> sums = new HashMap<>();

    /** A name; the version is 0 while its step is under way. */
    private record Share(Object asker, long session, long ticket, long version, long bytes) {
        boolean isOf(RegistryStep step) {
            return session == step.session() && ticket == step.ticket() && ticket != 0;
        }
    }

    private static long bytes(RegistryStep step) {
        return (long) step.name().getBytes(StandardCharsets.UTF_8).length + step.value().length
            + RegistryLimits.ROW_BYTES;
    }

    /**
     * Takes room for a name that is to be proposed.
     *
     * @param names the present names
     * @return false if the share of the client has no room: then nothing has changed
     */
    synchronized boolean take(Object asker, RegistryStep step, Function<String, @Nullable NameRow> names) {
        final Share known = byName.get(step.name());
        if (known != null && known.isOf(step)) {
            return true;
        }
        final long own = known != null && known.asker.equals(asker) ? known.bytes : 0;
        if (sums.getOrDefault(asker, 0L) - own + bytes(step) > BYTES_MAX) {
            forgetEnded(names);
            final Share still = byName.get(step.name());
            final long mine = still != null && still.asker.equals(asker) ? still.bytes : 0;
            if (sums.getOrDefault(asker, 0L) - mine + bytes(step) > BYTES_MAX) {
                return false;
            }
        }
        put(step.name(), new Share(asker, step.session(), step.ticket(), 0, bytes(step)));
        return true;
    }

    /** Notes the end of a step: the version of the name, or 0 if the name was not put. */
    synchronized void ended(Object asker, RegistryStep step, long version) {
        final Share known = byName.get(step.name());
        if (known != null && known.asker.equals(asker) && known.isOf(step)) {
            if (version == 0) {
                remove(step.name());
            } else {
                put(step.name(), new Share(asker, step.session(), step.ticket(), version, known.bytes));
            }
        }
    }

    private void put(String name, Share share) {
        remove(name);
        byName.put(name, share);
        sums.merge(share.asker, share.bytes, Long::sum);
    }

    private void remove(String name) {
        final Share removed = byName.remove(name);
        if (removed != null) {
            subtract(removed);
        }
    }

    private void subtract(Share share) {
        sums.computeIfPresent(share.asker, (_, sum) -> sum == share.bytes ? null : sum - share.bytes);
    }

    /** Forgets names that have ended, or that another step has put since. */
    private void forgetEnded(Function<String, @Nullable NameRow> names) {
        for (Iterator<Map.Entry<String, Share>> each = byName.entrySet().iterator(); each.hasNext(); ) {
            final Map.Entry<String, Share> next = each.next();
            final NameRow row = names.apply(next.getKey());
            if (next.getValue().version != 0 && (row == null || row.version() != next.getValue().version)) {
                each.remove();
                subtract(next.getValue());
            }
        }
    }

    /** Forgets all: this superpeer does not lead any more. */
    synchronized void clear() {
        byName.clear();
        sums.clear();
    }
}
