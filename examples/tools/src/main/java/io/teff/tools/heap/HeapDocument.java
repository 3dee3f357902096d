package io.teff.tools.heap;

import io.teff.engine.Cid;
import io.teff.engine.report.HeapReport;
import java.util.List;

/**
 * A heap report as the tables and the JSON document show it. CIDs are text, because many JSON readers lose bits of
 * 64-bit numbers; the map is not part of it. Component names are the names in the JSON document.
 *
 * @param file path of the snapshot
 * @param fileBytes size of the file
 * @param seconds time to read the file
 * @param nid NID of the store
 * @param debugLevel debug level of the store
 * @param reserved whether the store had its memory from reserved address space
 * @param chunks number of chunks
 * @param emptyChunks number of chunks of length 0
 * @param readOnlyChunks number of read-only chunks
 * @param payloadBytes sum of the lengths of all chunks
 * @param memory use of the memory
 * @param sizeClasses usage by slot size
 * @param runs usage of runs of units, which hold large chunks
 * @param pageFills number of slot pages by tenths of their slots in use
 * @param lengths chunks by length
 * @param largest the largest chunks
 * @param creators the nodes that created the chunks
 */
public record HeapDocument(String file, long fileBytes, double seconds, int nid, String debugLevel, boolean reserved,
                           long chunks, long emptyChunks, long readOnlyChunks, long payloadBytes,
                           HeapReport.Memory memory, List<HeapReport.SizeClass> sizeClasses, HeapReport.Runs runs,
                           List<Long> pageFills, List<HeapReport.Lengths> lengths, List<NamedChunk> largest,
                           List<HeapReport.Creator> creators) {
    /**
     * One of the largest chunks.
     *
     * @param cid CID as {@code nid:index.generation}
     * @param bytes length of the chunk
     * @param readOnly whether the chunk is read-only
     */
    public record NamedChunk(String cid, long bytes, boolean readOnly) {}

    static HeapDocument of(String file, long fileBytes, double seconds, HeapReport report) {
        List<NamedChunk> largest = report.largest().stream()
            .map(chunk -> new NamedChunk(Cid.toString(chunk.cid()), chunk.bytes(), chunk.readOnly())).toList();
        return new HeapDocument(file, fileBytes, seconds, report.nid(), report.debugLevel().name(), report.reserved(),
            report.chunks(), report.emptyChunks(), report.readOnlyChunks(), report.payloadBytes(), report.memory(),
            report.sizeClasses(), report.runs(), report.pageFills(), report.lengths(), largest, report.creators());
    }

    /** Returns bytes divided by the number of chunks. */
    double perChunk(long bytes) {
        return (double) bytes / Math.max(chunks, 1);
    }
}
