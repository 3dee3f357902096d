package io.teff.engine.tree;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.table.EntryWord;

/** The root of a sorted map: the order of its keys, and its top node. One thread at a time changes it. */
final class TreeRoot {
    private static final long HEAD = TreeRootLayout.MAGIC | (long) TreeRootLayout.VERSION << Integer.SIZE;

    private final CollectionChunks chunks;
    private final long cid;
    private final long order;
    /** A stale value is harmless: a search finds its way from any former top. */
    private volatile long top;

    private TreeRoot(CollectionChunks chunks, long cid, long order, long top) {
        this.chunks = chunks;
        this.cid = cid;
        this.order = order;
        this.top = top;
    }

    /** Creates a root. */
    static TreeRoot make(CollectionChunks chunks, long order, long top) {
        Output out = Output.growing(TreeRootLayout.BYTES);
        out.putLong(HEAD);
        out.putLong(order);
        out.putLong(top);
        assert out.size() == TreeRootLayout.BYTES : out.size();
        return new TreeRoot(chunks, chunks.create(out.array(), 0, out.size()), order, top);
    }

    /** Reads a root. */
    static TreeRoot open(CollectionChunks chunks, long cid) {
        byte[] bytes = new byte[TreeRootLayout.BYTES];
        int length = chunks.get(cid, bytes);
        if (length != TreeRootLayout.BYTES) {
            throw ChunkIndex.damaged(chunks, cid, length == Status.ABSENT ? "is gone" : "is of a wrong size");
        }
        Input in = new Input(bytes, 0, bytes.length);
        if (in.getLong() != HEAD) {
            throw ChunkIndex.damaged(chunks, cid, "is not a root of version " + TreeRootLayout.VERSION);
        }
        return new TreeRoot(chunks, cid, in.getLong(), in.getLong());
    }

    long cid() {
        return cid;
    }

    /** Returns the number of the order. */
    long order() {
        return order;
    }

    /** Returns the node at which a search begins; volatile. */
    long top() {
        return top;
    }

    void setTop(long node) {
        final long word = chunks.enter(cid);
        try {
            chunks.touch(cid);
            chunks.memory().putFieldLong(EntryWord.address(word) + TreeRootLayout.TOP_AT, node);
        } finally {
            chunks.leave(cid);
        }
        top = node;
    }
}
