package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.ship.Outlet;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.ZoneCopy;
import io.teff.test.kit.Starts;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One run: an owner of three zones, and three backups of which each zone has two. */
final class ShippingSimulation {
    private static final NodeRef OWNER = new NodeRef(16, 1);
    private static final int ZONES = 3;
    private static final int STEPS = 250;
    private static final int QUIET_STEPS = 4_000;
    private static final long MS = 1_000_000;

    private final String what;
    private final SplittableRandom random;
    private final int lossPercent;
    private final int damagePercent;
    /** A backup that hears nothing from some moment on, or 0. */
    private int deaf;
    private long nowNs = 1;
    private final Clock clock = () -> nowNs;
    private final ShipRing ring = new ShipRing(1 << 14, clock);
    private final Map<Integer, Node> backups = new HashMap<>();
    private final Map<Integer, ZoneRow> rows = new HashMap<>();
    private final List<Runnable> messages = new ArrayList<>();
    private final List<Long> claimed = new ArrayList<>();
    private final Shipper shipper;
    private boolean isHealed;
    private int waiting;
    private long served;
    private long lost;
    private long replaced;
    private long flips;

    /** A backup. */
    private final class Node {
        private final NodeRef reference;
        private final MemoryCopyLog log = new MemoryCopyLog();
        private final Tables tables = new Tables();
        private final BackupService service;

        Node(NodeRef reference) {
            this.reference = reference;
            service = new BackupService(reference, log, tables, (_, answers) -> answered(answers), failure -> {
                throw failure;
            });
        }

        private void answered(List<RunAnswer> answers) {
            byte[] bytes = new byte[answers.size() * RunAnswer.BYTES];
            for (int i = 0; i < answers.size(); i++) {
                answers.get(i).write(MemorySegment.ofArray(bytes), (long) i * RunAnswer.BYTES);
            }
            deliver(() -> {
                MemorySegment arrived = MemorySegment.ofArray(damaged(bytes));
                for (int at = 0; at < bytes.length; at += RunAnswer.BYTES) {
                    if (RunAnswer.isValid(arrived, at, bytes.length - at)) {
                        shipper.answered(RunAnswer.read(arrived, at, reference.nid()));
                    }
                }
            });
        }

        void run(byte[] bytes) {
            service.run(OWNER.nid(), MemorySegment.ofArray(damaged(bytes)), 0, bytes.length);
        }
    }

    ShippingSimulation(long seed) {
        Starts.SEED.count();
        what = "reproduce: -Dseed=" + seed;
        random = new SplittableRandom(seed);
        lossPercent = random.nextInt(30);
        damagePercent = random.nextInt(10);
        boolean isOneDeaf = random.nextInt(4) == 0;
        for (int i = 0; i < 3; i++) {
            NodeRef reference = new NodeRef(20 + i, 1);
            backups.put(reference.nid(), new Node(reference));
        }
        shipper = new Shipper(OWNER, ring, new Gathering(), new Shipper.Listener() {
            @Override
            public void holdsUp(ZoneRow row, NodeRef backup) {
                replace(row, backup);
            }

            @Override
            public void stalled(long ns) {
                // this owner commits late on purpose
            }
        }, Platform.SYSTEM.withClock(clock), 1 << 15);
        for (int zone = 1; zone <= ZONES; zone++) {
            rows.put(zone, Rows.row(zone, 1, ZoneState.OPEN, OWNER, backups.get(20 + zone % 3).reference,
                backups.get(20 + (zone + 1) % 3).reference));
            shipper.open(rows.get(zone), 0);
        }
        deaf = isOneDeaf ? 20 + random.nextInt(3) : 0;
    }

    /** Gathers the runs for a backup, as long as it pleases. */
    private final class Gathering implements Outlet {
        private final Map<Integer, ByteArrayOutputStream> gathered = new HashMap<>();

        @Override
        public boolean offer(NodeRef to, MemorySegment memory, int length) {
            if (!isHealed && random.nextInt(10) == 0) {
                return false;
            }
            gathered.computeIfAbsent(to.nid(), _ -> new ByteArrayOutputStream())
                .writeBytes(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            return true;
        }

        @Override
        public boolean flush(long now) {
            if (!isHealed && random.nextInt(10) == 0) {
                return false;
            }
            for (int nid : List.copyOf(gathered.keySet())) {
                byte[] bytes = gathered.remove(nid).toByteArray();
                if (nid != deaf) {
                    deliver(() -> backups.get(nid).run(bytes));
                }
            }
            return true;
        }
    }

    /** Flips a bit of some messages on their way. */
    private byte[] damaged(byte[] sent) {
        if (isHealed || random.nextInt(100) >= damagePercent) {
            return sent;
        }
        byte[] arrived = sent.clone();
        int bit = random.nextInt(sent.length * Byte.SIZE);
        arrived[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        flips++;
        return arrived;
    }

    /** Puts a message on its way: it is lost, doubled, or arrives at some time. */
    private void deliver(Runnable message) {
        if (!isHealed && random.nextInt(100) < lossPercent) {
            lost++;
            return;
        }
        messages.add(message);
        if (!isHealed && random.nextInt(10) == 0) {
            messages.add(message);
        }
    }

    long served() {
        return served;
    }

    long lostMessages() {
        return lost;
    }

    long replacedBackups() {
        return replaced;
    }

    long damagedMessages() {
        return flips;
    }

    void run() {
        for (int step = 0; step < STEPS; step++) {
            step();
            shipper.audit();
        }
        isHealed = true;
        backups.values().forEach(node -> node.log.full(false));
        List.copyOf(claimed).forEach(this::commit);
        for (int step = 0; step < QUIET_STEPS && (waiting > 0 || shipper.lag() > 0); step++) {
            nowNs += 5 * MS;
            shipper.kick();
            while (!messages.isEmpty()) {
                messages.remove(random.nextInt(messages.size())).run();
            }
        }
        assertEquals(0, waiting, what);
        assertEquals(0, shipper.keptBytes(), what);
        shipper.audit();
        rows.values().forEach(row -> checkBackups(row, shipper.zone(row.zone()).acknowledgedCounter()));
        rows.values().forEach(this::checkContents);
        rows.values().forEach(row -> assertEquals(ZoneNumber.counter(ring.now(row.zone())),
            shipper.zone(row.zone()).acknowledgedCounter(), what));
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> change();
            case 3 -> {
                if (!claimed.isEmpty()) {
                    commit(claimed.get(random.nextInt(claimed.size())));
                }
            }
            case 4 -> nowNs += random.nextLong(60 * MS);
            case 5 -> backups.get(20 + random.nextInt(3)).log.full(random.nextInt(3) == 0);
            case 6 -> {
                if (random.nextInt(10) == 0) {
                    shipper.lost(20 + random.nextInt(3));
                }
            }
            case 7 -> shipper.kick();
            default -> {
                if (!messages.isEmpty()) {
                    messages.remove(random.nextInt(messages.size())).run();
                }
            }
        }
    }

    private void change() {
        int zone = 1 + random.nextInt(ZONES);
        try {
            ring.begin();
        } catch (StoreException e) {
            assertTrue(PeerBusy.is(e), what);
            return;
        }
        int length = random.nextInt(200);
        long record = ring.claim(zone, 1, length);
        int index = random.nextInt(5);
        long at = ring.entry(record, 0, Cid.of(zone, index), Journal.PUT, length, 0);
        ring.memory().asSlice(at, length).fill(pattern(index, length));
        claimed.add(record);
        if (random.nextInt(8) != 0) {
            commit(record);
        }
        long counter = ZoneNumber.counter(ring.now(zone));
        waiting++;
        WriteLevel level = random.nextInt(4) == 0 ? WriteLevel.BACKED_SYNCED : WriteLevel.BACKED;
        shipper.await(shipper.zone(zone), counter, level, verdict -> {
            waiting--;
            served++;
            assertEquals(Verdict.SERVED, verdict, what);
            checkBackups(rows.get(zone), counter);
        });
    }

    private static byte pattern(long index, long length) {
        return (byte) (index * 31 + length + 1);
    }

    /** The copies have the bytes that were written. */
    private void checkContents(ZoneRow row) {
        for (Backup backup : row.backups()) {
            ZoneCopy copy = new ZoneCopy(row.zone(), backup.copy());
            backups.get(backup.node().nid()).log.entries(copy, (cid, content) -> {
                for (byte each : content) {
                    assertEquals(pattern(Cid.index(cid), content.length), each, what);
                }
            });
        }
    }

    private void commit(long record) {
        if (claimed.remove(record)) {
            ring.commit(record, false);
        }
    }

    /** All backups of the row have everything up to a counter. */
    private void checkBackups(ZoneRow row, long counter) {
        for (Backup backup : row.backups()) {
            long logged = backups.get(backup.node().nid()).log.logged(new ZoneCopy(row.zone(), backup.copy()));
            assertTrue(ZoneNumber.counter(logged) >= counter, () -> what + ": " + backup + " has "
                + ZoneNumber.text(logged) + ", not " + counter);
        }
    }

    /** What the cell does when a backup holds up writes. */
    private void replace(ZoneRow row, NodeRef backup) {
        if (rows.get(row.zone()).equals(row) && row.backups().size() > 1) {
            replaced++;
            ZoneRow next = Rows.without(row, backup);
            rows.put(row.zone(), next);
            shipper.configured(next);
        }
    }
}
