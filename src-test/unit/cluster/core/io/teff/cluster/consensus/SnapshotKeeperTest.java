package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.teff.cluster.config.Secret;
import io.teff.cluster.meta.MachineState;
import io.teff.engine.os.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that fail. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SnapshotKeeperTest {
    @TempDir
    private Path folder;

    /** A member that writes no snapshot by itself. */
    private static final class Member implements SnapshotKeeper.Member {
        private long last;
        private boolean canBegin = true;
        private int begun;

        @Override
        public boolean isDue() {
            return true;
        }

        @Override
        public long lastSnapshot() {
            return last;
        }

        @Override
        public boolean snapshot() {
            begun += canBegin ? 1 : 0;
            return canBegin;
        }
    }

    @Test
    void snapshot_thatHasFailed_isBegunAgainAWhileLater_andOneThatIsWhole_atOnce() throws IOException {
        AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
        Member member = new Member();
        MemberConfig config = new MemberConfig(0, List.of(new MemberConfig.Member("127.0.0.1", 1)), folder,
            new MachineState.Settings(1, 2), SnapshotBound.ofCommands(1), Secret.NONE);
        SnapshotKeeper keeper = new SnapshotKeeper(config, member,
            Platform.SYSTEM.withClock(nowNs::get), _ -> { });
        member.canBegin = false;
        keeper.cycle();
        member.canBegin = true;
        keeper.cycle();
        assertEquals(1, member.begun, "one that could not begin was none");
        for (int i = 0; i < 9; i++) {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            keeper.cycle();
        }
        assertEquals(1, member.begun, "it may be under way, or has just failed");
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        keeper.cycle();
        keeper.cycle();
        assertEquals(2, member.begun);
        member.last = 100;
        keeper.cycle();
        assertEquals(3, member.begun, "the second one is whole");
    }

    @Test
    void write_whileTheArchiveIsSlow_offersEachPieceAgain() {
        byte[] snapshot = new byte[20_000];
        snapshot[19_999] = 7;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        int[] offers = {0};
        MetadataService.write(snapshot, message -> {
            if (offers[0]++ % 3 != 2) {
                return offers[0] % 3 == 0 ? Publication.ADMIN_ACTION : Publication.BACK_PRESSURED;
            }
            byte[] piece = new byte[message.capacity()];
            message.getBytes(0, piece);
            written.writeBytes(piece);
            return written.size();
        }, NoOpIdleStrategy.INSTANCE);
        assertEquals(snapshot.length, written.size());
        assertEquals(7, written.toByteArray()[19_999]);
    }

    /** The metadata of all members would wait behind the snapshot of this one. */
    @Test
    void write_whenTheRecordingHasEnded_fails() {
        for (long end : new long[] {Publication.NOT_CONNECTED, Publication.CLOSED, Publication.MAX_POSITION_EXCEEDED}) {
            String said = assertThrows(ClusterException.class, () -> MetadataService.write(new byte[10], _ -> end,
                NoOpIdleStrategy.INSTANCE)).getMessage();
            assertTrue(said.contains("the snapshot cannot be written"), said);
        }
    }
}
