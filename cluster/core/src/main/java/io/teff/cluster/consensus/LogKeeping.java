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
 * The kept part of a member's archive: the last two snapshots, and the log from the older snapshot on. Pure.
 *
 * <p><b>Nothing is lost.</b> A member starts from the last snapshot and the log behind the snapshot. The snapshot
 * before stays in case the last snapshot is unreadable. A snapshot counts when both recordings of the snapshot are
 * recorded by the consensus module. The consensus module records them when the disk has them.
 *
 * <p>A snapshot without such a record, because the process has ended meanwhile, has recordings, too. These recordings
 * are older than the recordings of any later counting snapshot.
 */
final class LogKeeping {
    /** Number of kept snapshots. */
    static final int SNAPSHOTS = 2;
    private static final int SERVICE = 0;
    private static final long NONE = -1;

    private LogKeeping() {}

    /**
     * Recordings and parts of the log that are not needed any more.
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
     * Returns the recordings and the part of the log that are not needed any more.
     *
     * @param entries terms and snapshots recorded by the consensus module
     * @param recordings all recordings of the archive
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
     * Returns the place from which other members can copy the log; null if there is no snapshot.
     *
     * @param entries terms and snapshots recorded by the consensus module
     * @param firsts first position of a recording in the archive, by recording; null for a recording missing in the
     *     archive
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
