package io.teff.tools.heap;

import io.teff.engine.Cid;
import io.teff.engine.report.HeapReport;
import java.util.List;

/**
 * A report as people and programs read it: CIDs are text, because a 64-bit number is more than many JSON readers keep,
 * and the map is left to the picture. Names of components are the names in the JSON document.
 *
 * @param file the snapshot
 * @param fileBytes its size
 * @param seconds time in which it was read
 * @param nid NID of the store
 * @param debugLevel the store's level
 * @param reserved whether its memory was reserved address space
 * @param chunks number of chunks
 * @param emptyChunks those of length 0
 * @param readOnlyChunks those that never change again
 * @param payloadBytes sum of their lengths
 * @param memory where the bytes are
 * @param sizeClasses usage by size of slots
 * @param runs usage of runs of units
 * @param pageFills pages of slots by tenths of their slots in use
 * @param lengths chunks by length
 * @param largest the largest chunks
 * @param creators who made the chunks
 */
public record HeapDocument(String file, long fileBytes, double seconds, int nid, String debugLevel, boolean reserved,
                           long chunks, long emptyChunks, long readOnlyChunks, long payloadBytes,
                           HeapReport.Memory memory, List<HeapReport.SizeClass> sizeClasses, HeapReport.Runs runs,
                           List<Long> pageFills, List<HeapReport.Lengths> lengths, List<NamedChunk> largest,
                           List<HeapReport.Creator> creators) {
    /**
     * A chunk.
     *
     * @param cid its CID, as {@code nid:index.generation}
     * @param bytes its length
     * @param readOnly whether it never changes again
     */
    public record NamedChunk(String cid, long bytes, boolean readOnly) {}

    static HeapDocument of(String file, long fileBytes, double seconds, HeapReport report) {
        List<NamedChunk> largest = report.largest().stream()
            .map(chunk -> new NamedChunk(Cid.toString(chunk.cid()), chunk.bytes(), chunk.readOnly())).toList();
        return new HeapDocument(file, fileBytes, seconds, report.nid(), report.debugLevel().name(), report.reserved(),
            report.chunks(), report.emptyChunks(), report.readOnlyChunks(), report.payloadBytes(), report.memory(),
            report.sizeClasses(), report.runs(), report.pageFills(), report.lengths(), largest, report.creators());
    }

    /** Some of the bytes, by chunk. */
    double perChunk(long bytes) {
        return (double) bytes / Math.max(chunks, 1);
    }
}
