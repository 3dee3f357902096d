package io.teff.test.nio.programs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Sessions of ZooKeeper in one process: each has a node of its own, with versions and a watch. */
final class ZooKeeperClients {
    private static final int TIMEOUT_MS = 60_000;
    private static final int THREADS = 8;
    private static final int CLOSING_THREADS = 50;
    private static final int BODY_MAX = 2_000;

    private final String root;
    private final List<ZooKeeper> sessions = new ArrayList<>();
    private final AtomicLong operations = new AtomicLong();

    private ZooKeeperClients(String root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws Exception {
        final ZooKeeperClients clients = new ZooKeeperClients("/" + arguments[3]);
        final int count = Integer.parseInt(arguments[1]);
        clients.open("127.0.0.1:" + arguments[0], count);
        final int seconds = Integer.parseInt(arguments[2]);
        final long beginNs = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            final List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                final int part = i;
                all.add(threads.submit(() -> {
                    int round = 0;
                    do {
                        for (int j = part; j < count; j += THREADS) {
                            clients.work(j, round);
                        }
                        round++;
                    } while (!Told.isOver(beginNs, seconds));
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        Told.line("NODES", clients.sessions.get(0).getChildren(clients.root, false).size());
        clients.close();
        Told.counts();
        Told.line(Told.DONE, clients.operations);
    }

    private void open(String server, int count) throws Exception {
        final CountDownLatch connected = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            sessions.add(new ZooKeeper(server, TIMEOUT_MS, event -> {
                if (event.getState() == Watcher.Event.KeeperState.SyncConnected
                        && event.getType() == Watcher.Event.EventType.None) {
                    connected.countDown();
                }
            }));
        }
        if (!connected.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(connected.getCount() + " sessions have no connection");
        }
        sessions.get(0).create(root, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    /** Closes all sessions: each close sleeps for a tenth of a second. */
    private void close() throws InterruptedException {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLOSING_THREADS)) {
            for (ZooKeeper session : sessions) {
                threads.execute(() -> {
                    try {
                        session.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
        }
    }

    private void work(int number, int round) throws KeeperException, InterruptedException {
        final ZooKeeper session = sessions.get(number);
        final String node = root + "/" + number;
        if (round == 0) {
            session.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        }
        final byte[] body = ("round " + round + " of " + number + " ").repeat(1 + (number + round) * 31 % BODY_MAX / 16)
            .getBytes(StandardCharsets.US_ASCII);
        final CountDownLatch seen = new CountDownLatch(1);
        sessions.get((number + 1) % sessions.size()).exists(node, event -> seen.countDown());
        session.setData(node, body, round);
        final Stat stat = new Stat();
        final byte[] found = session.getData(node, false, stat);
        if (!new String(found, StandardCharsets.US_ASCII).equals(new String(body, StandardCharsets.US_ASCII))
                || stat.getVersion() != round + 1 || stat.getEphemeralOwner() != session.getSessionId()) {
            throw new IllegalStateException("node " + node + " " + stat);
        }
        if (!seen.await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("no event of " + node);
        }
        operations.addAndGet(3);
    }
}
