package io.teff.test.cluster.kills;

import io.teff.test.kit.RegisterHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations of all clients on one chunk, and whether they are linearizable. The value of a chunk is the number in
 * its content; {@link #ABSENT} stands for a chunk that does not exist. Thread-safe.
 */
final class ChunkHistory {
    /** Instead of a value: there is no chunk. */
    static final long ABSENT = 0;

    private final String name;
    private final boolean isShared;
    private final RegisterHistory history = new RegisterHistory(ABSENT);
    /** Guarded by itself. */
    private final List<String> lines = new ArrayList<>();
    private volatile long cid;
    private volatile boolean isRemoved;

    /**
     * Begins without a chunk.
     *
     * @param name name for people
     * @param isShared whether all clients put and compare-and-set it
     */
    ChunkHistory(String name, boolean isShared) {
        this.name = name;
        this.isShared = isShared;
    }

    boolean isShared() {
        return isShared;
    }

    /** Returns whether the chunk was created and not removed yet. */
    boolean exists() {
        return cid != 0 && !isRemoved;
    }

    /** Returns the CID, or 0 before the chunk was created. */
    long cid() {
        return cid;
    }

    String name() {
        return name;
    }

    private void add(String client, long called, long returned, String what) {
        synchronized (lines) {
            lines.add(called + " " + (returned == Long.MAX_VALUE ? "?" : String.valueOf(returned)) + " " + client + " "
                + what);
        }
    }

    void created(String client, long called, long returned, long value, long newCid) {
        add(client, called, returned, "create " + value + " = " + newCid);
        history.write(called, returned, value, client);
        cid = newCid;
    }

    void read(String client, long called, long returned, long value) {
        add(client, called, returned, "get " + value);
        history.read(called, returned, value, client);
    }

    void written(String client, long called, long returned, long value) {
        add(client, called, returned, "put " + value);
        history.write(called, returned, value, client);
    }

    void removed(String client, long called, long returned) {
        add(client, called, returned, "remove");
        history.write(called, returned, ABSENT, client);
        isRemoved = true;
    }

    void swapped(String client, long called, long returned, long from, long to) {
        add(client, called, returned, "cas " + from + " " + to);
        history.update(called, returned, from, to, client);
    }

    /** Adds a put whose outcome its client does not know. */
    void unknownPut(String client, long called, long value) {
        add(client, called, Long.MAX_VALUE, "put " + value);
        history.unknownWrite(called, value, client);
    }

    /** Adds a compare-and-set whose outcome its client does not know. */
    void unknownSwap(String client, long called, long from, long to) {
        add(client, called, Long.MAX_VALUE, "cas " + from + " " + to);
        history.unknownUpdate(called, from, to, client);
    }

    /** Returns why the operations are not linearizable, or nothing if they are. */
    Optional<String> fault() {
        return history.fault();
    }

    /** Returns all operations in a form that other checkers read. */
    List<String> jepsenLog() {
        return history.jepsenLog();
    }

    /** Returns all operations, a line for each: call, return, client, operation. */
    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }
}
