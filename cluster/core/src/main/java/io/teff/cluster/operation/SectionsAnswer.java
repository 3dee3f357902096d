package io.teff.cluster.operation;

import io.teff.cluster.operation.ZoneHost.Verdict;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The answer of a batch: a section is deposed if the host deposes any of its verdicts. */
final class SectionsAnswer extends HeldAnswer {
    private @Nullable Section first;

    SectionsAnswer(Reply reply, HeldBytes bytesHeld) {
        super(reply, bytesHeld);
    }

    /** A section of the answer; takes its verdicts. */
    static final class Section implements Consumer<Verdict> {
        private final SectionsAnswer answer;
        /** Byte of the answer that has the code of the section. */
        private final int codeAt;
        private final @Nullable Section next;
        private volatile boolean isDeposed;

        private Section(SectionsAnswer answer, int codeAt) {
            this.answer = answer;
            this.codeAt = codeAt;
            next = answer.first;
        }

        /** Announces one more verdict of the host. */
        Section await() {
            answer.announce();
            return this;
        }

        @Override
        public void accept(Verdict verdict) {
            if (verdict == Verdict.DEPOSED) {
                isDeposed = true;
            }
            answer.arrived();
        }
    }

    /** Adds a section whose code is at a byte of the answer; by the executing thread. */
    Section section(int codeAt) {
        final Section section = new Section(this, codeAt);
        first = section;
        return section;
    }

    @Override
    void mark(byte[] bytes) {
        for (Section section = first; section != null; section = section.next) {
            if (section.isDeposed) {
                bytes[section.codeAt] = OperationFormat.DEPOSED;
            }
        }
    }
}
