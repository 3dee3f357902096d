package io.teff.cluster.peer;

import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.zone.Run;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.RunWriter;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Takes messages with runs, or with answers, apart, and puts them together again. */
final class SimRuns {
    private SimRuns() {}

    /** One run of a message. */
    record Message(Run run, int ownerIncarnation, int backupIncarnation, boolean isSynced, boolean isBegin,
                   byte[] records) {
        Message withEpoch(int epoch) {
            return withRun(new Run(run.zone(), run.copy(), epoch, run.first(), run.count()));
        }

        Message withRun(Run changed) {
            return new Message(changed, ownerIncarnation, backupIncarnation, isSynced, isBegin, records);
        }

        /** Cuts each record behind its first entry. */
        Message withoutSecondEntries() {
            MemorySegment from = MemorySegment.ofArray(records);
            MemorySegment to = MemorySegment.ofArray(new byte[records.length]);
            RunReader reader = new RunReader();
            if (run.count() == 0 || reader.check(from, 0, records.length, run.zone()) != null) {
                return this;
            }
            long at = 0;
            while (reader.nextRecord()) {
                if (reader.entryCount() < 2) {
                    MemorySegment.copy(from, reader.recordOffset(), to, at, reader.recordBytes());
                    at += reader.recordBytes();
                } else {
                    reader.nextEntry();
                    long content = RunWriter.entry(to, RunWriter.begin(at), reader.cid(), reader.kind(),
                        reader.length(), 0);
                    MemorySegment.copy(from, reader.contentOffset(), to, content, reader.length());
                    at = RunWriter.end(to, at, reader.number(), 1, RunWriter.next(content, reader.length()));
                }
            }
            return new Message(run, ownerIncarnation, backupIncarnation, isSynced, isBegin,
                to.asSlice(0, at).toArray(ValueLayout.JAVA_BYTE));
        }

        private byte[] bytes() {
            byte[] bytes = new byte[RunMessage.HEAD_BYTES + records.length];
            MemorySegment memory = MemorySegment.ofArray(bytes);
            if (isBegin) {
                RunMessage.writeBegin(memory, 0, run, ownerIncarnation, backupIncarnation);
                return bytes;
            }
            int sum = records.length == 0 ? 0 : RunMessage.recordsSum(MemorySegment.ofArray(records), 0,
                records.length);
            RunMessage.write(memory, 0, run, ownerIncarnation, backupIncarnation, isSynced, records.length, sum);
            System.arraycopy(records, 0, bytes, RunMessage.HEAD_BYTES, records.length);
            return bytes;
        }
    }

    /** Returns the runs of a message. */
    static List<Message> read(byte[] message) {
        MemorySegment memory = MemorySegment.ofArray(message);
        List<Message> runs = new ArrayList<>();
        for (int at = 0; at < message.length;) {
            int length = RunMessage.recordBytes(memory, at);
            byte[] records = memory.asSlice(at + RunMessage.HEAD_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
            runs.add(new Message(RunMessage.run(memory, at), RunMessage.owner(memory, at, 0).incarnation(),
                RunMessage.backupIncarnation(memory, at),
                RunMessage.isSynced(memory, at), RunMessage.isBegin(memory, at),
                records));
            at += RunMessage.HEAD_BYTES + length;
        }
        return runs;
    }

    /** Changes each run of a message. */
    static byte[] map(byte[] message, UnaryOperator<Message> change) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        read(message).forEach(run -> out.writeBytes(change.apply(run).bytes()));
        return out.toByteArray();
    }

    /** Changes each answer of a message. */
    static byte[] mapAnswers(byte[] message, int from, UnaryOperator<RunAnswer> change) {
        MemorySegment memory = MemorySegment.ofArray(message.clone());
        for (int at = 0; at < message.length; at += RunAnswer.BYTES) {
            change.apply(RunAnswer.read(memory, at, from)).write(memory, at);
        }
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }
}
