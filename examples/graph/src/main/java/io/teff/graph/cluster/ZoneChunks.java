package io.teff.graph.cluster;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.TaskContext;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a graph, as a client or a worker reaches them. A worker changes chunks of its zone under the epoch of
 * the owner, so that a worker whose node has lost the zone changes nothing any more. For one thread.
 */
interface ZoneChunks {
    /** Returns the content of a chunk; null if there is none. */
    byte @Nullable [] find(long cid);

    /** Changes a chunk. */
    void put(long cid, byte[] content);

    /** Creates a chunk in the zone of another chunk, if there is room. */
    long create(long near, byte[] content);

    /** Removes a chunk, if there is one. */
    void remove(long cid);

    /** Makes the changes that wait. */
    void commit();

    /** Returns the content of a chunk. */
    default byte[] get(long cid) {
        byte[] content = find(cid);
        if (content == null) {
            throw new StoreException(Category.FATAL, "chunk " + Cid.toString(cid) + " of a graph is not there");
        }
        return content;
    }

    /** The chunks as a client reaches them. */
    static ZoneChunks of(ChunkStore store) {
        return new OfClient(store);
    }

    /** The chunks as a worker reaches them. */
    static ZoneChunks of(TaskContext task) {
        return new OfTask(task);
    }

    /** Each change at once. */
    record OfClient(ChunkStore store) implements ZoneChunks {
        @Override
        public byte @Nullable [] find(long cid) {
            return store.chunks().get(cid).orElse(null);
        }

        @Override
        public void put(long cid, byte[] content) {
            store.chunks().put(cid, content);
        }

        @Override
        public long create(long near, byte[] content) {
            long cid = store.createNear(near, content);
            if (cid < 0) {
                throw new StoreException(Category.DEGRADED, "no memory for " + content.length + " bytes of a graph");
            }
            return cid;
        }

        @Override
        public void remove(long cid) {
            store.remove(cid);
        }

        @Override
        public void commit() {
            // nothing waits
        }
    }

    /** Changes of the zone wait for a commit; chunks that have found no room in the zone are those of a client. */
    final class OfTask implements ZoneChunks {
        /** A task makes at most 1,000,000 bytes of changes at once. */
        private static final int WAITING_BYTES_MAX = 512 << 10;
        private static final int WAITING_MAX = 256;

        private final TaskContext task;
        /** Reaches chunks of other zones; the client of the node connects when the first is needed. */
        private @Nullable ZoneChunks others;
        private int waiting;
        private int waitingBytes;

        OfTask(TaskContext task) {
            this.task = task;
        }

        private ZoneChunks others() {
            ZoneChunks known = others;
            if (known == null) {
                known = new OfClient(task.store());
                others = known;
            }
            return known;
        }

        private boolean isHere(long cid) {
            return Cid.nid(cid) == task.zone();
        }

        @Override
        public byte @Nullable [] find(long cid) {
            if (!isHere(cid)) {
                return others().find(cid);
            }
            commit();
            byte[] content = task.get(cid);
            task.commit();                                      // forgets what was read
            return content;
        }

        @Override
        public void put(long cid, byte[] content) {
            if (!isHere(cid)) {
                others().put(cid, content);
                return;
            }
            task.put(cid, content);
            waits(content.length);
        }

        @Override
        public long create(long near, byte[] content) {
            return others().create(near, content);
        }

        @Override
        public void remove(long cid) {
            if (!isHere(cid)) {
                others().remove(cid);
            } else if (find(cid) != null) {
                task.remove(cid);
                waits(0);
            }
        }

        private void waits(int bytes) {
            waiting++;
            waitingBytes += bytes;
            if (waiting >= WAITING_MAX || waitingBytes >= WAITING_BYTES_MAX) {
                commit();
            }
        }

        @Override
        public void commit() {
            if (waiting > 0 && !task.commit()) {
                throw new IllegalStateException("another change of a chunk of the graph was faster");
            }
            waiting = 0;
            waitingBytes = 0;
        }
    }
}
