package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.StoreHost;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** A peer that keeps each of its zones in a store of its own, without backups; a test decides about its verdicts. */
final class TestPeer extends StoreHost implements AutoCloseable {
    /** Threads that handle requests. */
    static final int THREADS = 4;

    final NodeRef node;
    /** Changes that are refused as busy before the next one is done. */
    final AtomicInteger busy = new AtomicInteger();
    /** Answers that have left the peer's store, and were deposed. */
    final AtomicInteger deposed = new AtomicInteger();
    /** Changes that were done. */
    final AtomicInteger changes = new AtomicInteger();
    /** Open while the peer's threads are not stopped. */
    private volatile CountDownLatch running = new CountDownLatch(0);
    private final Map<Integer, ChunkStore> stores = new ConcurrentHashMap<>();
    /** The slots of each store. A zone takes its slots along when it moves, as with a log. */
    private static final Map<ChunkStore, SlotTable> SLOTS = new ConcurrentHashMap<>();
    private final Map<Integer, ZoneRow> rows = new ConcurrentHashMap<>();
    private final List<Consumer<Verdict>> held = new ArrayList<>();
    private final OperationService service = new OperationService(this);
    private final String address;
    private final IntPredicate hasEnded;
    private final byte[] secret;
    private volatile Network network;
    private int toDepose;
    private boolean isHolding;

    TestPeer(TestCell cell) throws IOException {
        this(cell, new byte[0]);
    }

    /** A peer with a secret that the superpeer of the cell does not have. */
    TestPeer(TestCell cell, byte[] secret) throws IOException {
        this.secret = secret;
        String prefix = "loop:test-peer-" + cell.number + "-";
        node = cell.join(prefix);
        hasEnded = cell::hasEnded;
        address = prefix + node.nid();
        network = open();
    }

    private Network open() throws IOException {
        return Network.open(NetworkConfig.builder(node.nid()).listen(address).handlerThreads(THREADS).secret(secret)
            .build(), service::register);
    }

    /** Serves a zone with a new store. */
    void open(int zone, StoreConfig config) {
        serve(zone, Store.open(config.toBuilder().name("zone-" + zone).nid(zone).build()));
    }

    /** Serves a zone with a store of another peer. */
    void serve(int zone, ChunkStore store) {
        stores.put(zone, store);
    }

    /** Serves a zone no more, and returns its store. */
    ChunkStore release(int zone) {
        return stores.remove(zone);
    }

    /** Returns the number of chunks of a zone. */
    long chunks(int zone) {
        return ((Store) stores.get(zone)).stats().chunks();
    }

    /** Sets the row that redirects name. */
    void know(ZoneRow row) {
        rows.put(row.zone(), row);
    }

    /** Deposes some answers. */
    synchronized void depose(int count) {
        toDepose = count;
    }

    /** Holds answers back. */
    synchronized void hold() {
        isHolding = true;
    }

    /** Returns how many answers are held back. */
    synchronized int held() {
        return held.size();
    }

    /** Lets the answers go that are held back. */
    void letGo(Verdict verdict) {
        unheld().forEach(next -> next.accept(verdict));
    }

    /** Lets the answers go that are held back, the last one first. */
    void letGoBackwards(Verdict verdict) {
        unheld().reversed().forEach(next -> next.accept(verdict));
    }

    private synchronized List<Consumer<Verdict>> unheld() {
        List<Consumer<Verdict>> all = List.copyOf(held);
        isHolding = false;
        held.clear();
        return all;
    }

    /** Ends the locks of a zone, as if their leases were over. */
    void endLocks(int zone) {
        slots(zone).locks().sweep(serving(zone), slotLog(), System.nanoTime() + TimeUnit.HOURS.toNanos(2));
    }

    /** Stops each thread of the peer at the next request: it neither reads nor answers any more. */
    void stop() {
        running = new CountDownLatch(1);
    }

    /** Lets the threads go on. */
    void resume() {
        running.countDown();
    }

    /** Returns the address at which the peer listens. */
    String address() {
        return address;
    }

    @Override
    public ChunkStore serving(int zone) {
        try {
            running.await();
        } catch (InterruptedException _) {
            return null;                                        // the network is closed
        }
        ChunkStore store = stores.get(zone);
        return store == null || busy.get() == 0 ? store : refusing(store);
    }

    /** Returns a store that refuses changes as busy, as a peer's journal does before anything is changed. */
    private ChunkStore refusing(ChunkStore store) {
        return (ChunkStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ChunkStore.class},
            (_, method, arguments) -> {
                boolean isChange = !method.getName().startsWith("get") && !method.getName().equals("size")
                    && !method.getName().equals("exists");
                if (isChange && busy.getAndUpdate(count -> Math.max(count - 1, 0)) > 0) {
                    throw PeerBusy.refusal("the ring is full");
                }
                try {
                    return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    @Override
    public SlotTable slots(int zone) {
        ChunkStore store = stores.get(zone);
        return store == null ? null : SLOTS.computeIfAbsent(store, _ -> new SlotTable(zone, hasEnded::test));
    }

    @Override
    protected Store groups(int zone) {
        return (Store) stores.get(zone);
    }

    @Override
    public ZoneRow row(int zone) {
        return rows.get(zone);
    }

    @Override
    public void afterRead(int zone, long cid, Consumer<Verdict> then) {
        answer(then);
    }

    @Override
    public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
        answer(then);
    }

    @Override
    public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
        changes.incrementAndGet();
        answer(then);
    }

    private void answer(Consumer<Verdict> then) {
        Verdict verdict;
        synchronized (this) {
            if (isHolding) {
                held.add(then);
                return;
            }
            verdict = toDepose > 0 ? Verdict.DEPOSED : Verdict.SERVED;
            toDepose -= toDepose > 0 ? 1 : 0;
        }
        if (verdict == Verdict.DEPOSED) {
            deposed.incrementAndGet();
        }
        then.accept(verdict);
    }

    /** Ends the peer's network only, as if its process had ended. */
    void cut() {
        network.close();
    }

    /** Ends the peer's network, and begins another one: whoever waits for an answer notices that it never comes. */
    void restartNetwork() throws IOException {
        network.close();
        letGo(Verdict.SERVED);                                  // the answers have nowhere to go
        network = open();
    }

    @Override
    public void close() {
        resume();
        letGo(Verdict.DEPOSED);
        network.close();
        stores.values().forEach(ChunkStore::close);
    }
}
