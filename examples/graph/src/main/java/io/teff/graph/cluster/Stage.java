package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Partition;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Sends arcs to their parts, in pieces. Several threads stage at the same time, each by a writer of its own. */
final class Stage {
    private final ZoneChunks chunks;
    private final PartedHeader header;
    private final int arcBytes;
    private final Pieces[] parts;

    /** The staged pieces of a part. */
    private final class Pieces {
        private final long root;
        private long[] cids = {};

        Pieces(long root) {
            this.root = root;
        }

        /** The list of the part names each piece when the next piece begins. */
        private synchronized void add(byte[] piece) {
            long[] more = Arrays.copyOf(cids, cids.length + 1);
            more[cids.length] = chunks.create(root, piece);
            cids = more;
            chunks.put(root, PartRoot.EMPTY.withStaged(cids).write());
        }
    }

    Stage(ZoneChunks chunks, PartedHeader header) {
        this.chunks = chunks;
        this.header = header;
        arcBytes = PartLayout.stagedBytes(header.flags());
        parts = new Pieces[header.roots().length];
        Arrays.setAll(parts, part -> new Pieces(header.roots()[part]));
    }

    Writer writer() {
        return new Writer();
    }

    /** Takes the edges of one thread. */
    final class Writer {
        private final int shift = header.partition().shift();
        private final ByteBuffer[] open = new ByteBuffer[parts.length];
        private final boolean isUndirected = !header.isDirected();
        private final boolean isWeighted = header.isWeighted();
        private final boolean keepsLoops = (header.flags() & PartLayout.KEEPS_LOOPS) != 0;
        private int vertexCount;

        private Writer() {
            Arrays.setAll(open, _ -> PartLayout.view(new byte[PieceOutput.PIECE_BYTES]));
        }

        int vertexCount() {
            return vertexCount;
        }

        void edge(int source, int target, double weight) {
            vertexCount = Math.max(vertexCount, Math.max(source, target) + 1);
            if (source != target || keepsLoops) {
                arc(source, target, weight);
            }
            if (source != target && isUndirected) {
                arc(target, source, weight);
            }
        }

        private void arc(int source, int target, double weight) {
            int part = Partition.part(source, shift);
            ByteBuffer out = open[part];
            if (out.remaining() < arcBytes) {
                leave(part);
            }
            out.putInt(source >>> shift).putInt(target);
            if (isWeighted) {
                out.putDouble(weight);
            }
        }

        private void leave(int part) {
            parts[part].add(Arrays.copyOf(open[part].array(), open[part].position()));
            open[part].clear();
        }

        void end() {
            for (int part = 0; part < open.length; part++) {
                if (open[part].position() > 0) {
                    leave(part);
                }
            }
        }
    }
}
