package io.teff.recovery.backup;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.NumberMark;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.restore.Restore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ranges of a copy in an open log, in descending order of bytes. */
final class CopySource implements Restore.Source {
    private final RecoveryLog log;
    private final Map<ZoneId, Long> bytes = new HashMap<>();

    CopySource(RecoveryLog log, ZoneCopy copy) throws IOException {
        this.log = log;
        for (ZoneId zone : log.zones()) {
            if (CopyCounts.name(zone).equals(copy)) {
                bytes.put(zone, log.bytes(zone));
            }
        }
    }

    @Override
    public List<ZoneId> zones() {
        return bytes.entrySet().stream().sorted(Map.Entry.<ZoneId, Long>comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey).toList();
    }

    @Override
    public long bytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public List<FileDamage> read(ZoneId zone, ZoneVisitor visitor) throws IOException {
        return log.count(zone, visitor);
    }

    /** Passes on everything but marks of numbers. */
    record WithoutMarks(ChunkRestorer target) implements ChunkRestorer {
        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            target.put(cid, isReadOnly, source, offset, length);
        }

        @Override
        public Pieces begin(long length) {
            return target.begin(length);
        }

        @Override
        public boolean useHeadroom() {
            return target.useHeadroom();
        }

        @Override
        public void removed(long cid) {
            if (!NumberMark.is(cid)) {
                target.removed(cid);
            }
        }

        @Override
        public void reserved(long cid) {
            target.reserved(cid);
        }
    }
}
