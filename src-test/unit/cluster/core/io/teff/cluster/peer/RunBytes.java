package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.recovery.backup.RunWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Messages with runs for tests. */
final class RunBytes {
    private static final int CONTENT = 8;

    private RunBytes() {}

    /** Returns a message with records of one chunk each, whose content is the record's counter. */
    static MemorySegment message(Run run, NodeRef owner, int backupIncarnation, boolean isSynced) {
        MemorySegment memory = Arena.ofAuto().allocate(RunMessage.HEAD_BYTES
            + run.count() * RunWriter.recordBytesMax(1, CONTENT), 8);
        long at = RunMessage.HEAD_BYTES;
        for (int i = 0; i < run.count(); i++) {
            long number = run.first() + i;
            long counter = ZoneNumber.counter(number);
            long content = RunWriter.entry(memory, RunWriter.begin(at), Cid.of(run.zone(), counter), Journal.PUT,
                CONTENT, 0);
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, content, counter);
            at = RunWriter.end(memory, at, number, 1, RunWriter.next(content, CONTENT));
        }
        int sum = run.count() == 0 ? 0 : RunMessage.recordsSum(memory, RunMessage.HEAD_BYTES,
            at - RunMessage.HEAD_BYTES);
        RunMessage.write(memory, 0, run, owner.incarnation(), backupIncarnation, isSynced,
            (int) at - RunMessage.HEAD_BYTES, sum);
        return memory.asSlice(0, at);
    }

    /** Returns one message with the runs of several. */
    static MemorySegment joined(MemorySegment... messages) {
        MemorySegment memory = Arena.ofAuto().allocate(
            Arrays.stream(messages).mapToLong(MemorySegment::byteSize).sum(), 8);
        long at = 0;
        for (MemorySegment message : messages) {
            MemorySegment.copy(message, 0, memory, at, message.byteSize());
            at += message.byteSize();
        }
        return memory;
    }
}
