package io.teff.cluster.consensus;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.RecordingLog.Entry;
import io.teff.cluster.message.LogOrigin;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of its archive that a member keeps: the last two snapshots, and the log from the older one of them on. Pure.
 *
 * <p><b>Why nothing is lost.</b> A member starts from its last snapshot and the log behind it. The one before stays for
 * the case that the last one cannot be read. A snapshot counts when both its recordings are noted, and they are noted
 * when the disk has them.
 *
 * <p>A snapshot that was begun and never noted, because the process has ended meanwhile, has recordings, too. They are
 * older than those of a snapshot that was noted since.
 */
final class LogKeeping {
    /** Snapshots that are kept. */
    static final int SNAPSHOTS = 2;
    private static final int SERVICE = 0;
    private static final long NONE = -1;

    private LogKeeping() {}

    /**
     * What is needed no more.
     *
     * @param recordings recordings as a whole
     * @param log recording of the log, or -1
     * @param before the log is needed from this position on
     */
    record Needless(Set<Long> recordings, long log, long before) {
        static final Needless NOTHING = new Needless(Set.of(), NONE, 0);
    }

    /** Returns the complete snapshots, in the order of their positions. */
    static List<LogOrigin.Snapshot> snapshots(Collection<Entry> entries) {
        Map<Long, Entry> modules = new TreeMap<>();
        Map<Long, Entry> services = new TreeMap<>();
        for (Entry entry : entries) {
            if (entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT && entry.isValid) {
                if (entry.serviceId == ConsensusModule.Configuration.SERVICE_ID) {
                    modules.put(entry.logPosition, entry);
                } else if (entry.serviceId == SERVICE) {
                    services.put(entry.logPosition, entry);
                }
            }
        }
        modules.keySet().retainAll(services.keySet());
        return modules.values().stream().map(module -> new LogOrigin.Snapshot(module.leadershipTermId,
            module.termBaseLogPosition, module.logPosition, module.timestamp, module.recordingId,
            service(services, module).recordingId)).toList();
    }

    private static Entry service(Map<Long, Entry> services, Entry module) {
        Entry service = services.get(module.logPosition);
        if (service == null) {
            throw new IllegalStateException("a snapshot at " + module.logPosition + " has no metadata");
        }
        return service;
    }

    /**
     * Returns what is needed no more.
     *
     * @param entries what the consensus module has noted
     * @param recordings the recordings that the archive has
     */
    static Needless needless(Collection<Entry> entries, Collection<Long> recordings) {
        List<LogOrigin.Snapshot> all = snapshots(entries);
        if (all.size() < SNAPSHOTS) {
            return Needless.NOTHING;
        }
        List<LogOrigin.Snapshot> kept = all.subList(all.size() - SNAPSHOTS, all.size());
        Set<Long> needed = new HashSet<>();
        long newest = NONE;
        for (LogOrigin.Snapshot snapshot : kept) {
            needed.add(snapshot.module());
            needed.add(snapshot.service());
            newest = Math.max(newest, Math.max(snapshot.module(), snapshot.service()));
        }
        long log = NONE;
        for (Entry entry : entries) {
            if (entry.type == RecordingLog.ENTRY_TYPE_TERM && entry.isValid) {
                needed.add(entry.recordingId);
                log = entry.recordingId;
            }
        }
        Set<Long> needless = new HashSet<>();
        for (long recording : recordings) {
            if (recording < newest && !needed.contains(recording)) {
                needless.add(recording);
            }
        }
        return new Needless(Set.copyOf(needless), log, kept.getFirst().position());
    }

    /**
     * Returns from where others can copy the log; null if there is no snapshot.
     *
     * @param entries what the consensus module has noted
     * @param firsts first position of the log that the archive has, for a recording; null if it has none
     */
    static @Nullable LogOrigin origin(Collection<Entry> entries, Map<Long, Long> firsts) {
        List<LogOrigin.Snapshot> all = snapshots(entries);
        List<Entry> terms = entries.stream().filter(entry -> entry.type == RecordingLog.ENTRY_TYPE_TERM
            && entry.isValid).toList();
        if (all.isEmpty() || terms.isEmpty()) {
            return null;
        }
        long log = terms.getLast().recordingId;
        Long first = firsts.get(log);
        return first == null ? null : new LogOrigin(first, log, terms.stream().map(term -> new LogOrigin.Term(
            term.leadershipTermId, term.termBaseLogPosition, term.logPosition, term.timestamp)).toList(),
            all.getLast());
    }
}
