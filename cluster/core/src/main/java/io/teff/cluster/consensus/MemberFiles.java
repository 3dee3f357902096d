package io.teff.cluster.consensus;

import io.aeron.archive.CatalogView;
import io.aeron.cluster.RecordingLog;
import io.aeron.exceptions.AeronException;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of a member's archive and consensus module, also readable while the member runs. */
final class MemberFiles {
    static final String ARCHIVE = "archive";
    static final String CONSENSUS = "consensus";
    static final String CATALOG = "archive/archive.catalog";
    static final String ARCHIVE_MARK = "archive/archive-mark.dat";
    static final String CONSENSUS_MARK = "consensus/cluster-mark.dat";
    static final String SERVICE_MARK = "consensus/cluster-mark-service-0.dat";
    private static final String SUFFIX = ".rec";

    private MemberFiles() {}

    /** Returns the first positions of the segments of each recording. */
    static Map<Long, NavigableSet<Long>> segments(Path folder) throws IOException {
        Map<Long, NavigableSet<Long>> segments = new HashMap<>();
        try (Stream<Path> files = Files.list(folder.resolve(ARCHIVE))) {
            files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(SUFFIX)).forEach(name -> {
                int dash = name.indexOf('-');
                segments.computeIfAbsent(Long.valueOf(name.substring(0, dash)), _ -> new TreeSet<>())
                    .add(Long.valueOf(name.substring(dash + 1, name.length() - SUFFIX.length())));
            });
        } catch (NoSuchFileException _) {
            return Map.of();
        }
        return segments;
    }

    /**
     * Returns the first position of each recording known to the archive. Files in front of the first position may
     * remain, if the process ended during their deletion.
     */
    static Map<Long, Long> firsts(Path folder) throws IOException {
        Map<Long, Long> firsts = new HashMap<>();
        if (Files.exists(folder.resolve(CATALOG))) {
            try {
                CatalogView.listRecordings(folder.resolve(ARCHIVE).toFile(), (_, _, recording, _, _, start, _, _, _, _,
                    _, _, _, _, _, _) -> firsts.put(recording, start));
            } catch (Exception e) {                             // also checked exceptions that Aeron does not declare
                throw new IOException("the catalog in " + folder + " cannot be read: " + FailureText.of(e), e);
            }
        }
        return firsts;
    }

    /** Deletes the files of a recording unknown to the archive. */
    static void deleteRecording(Path folder, long recording) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(ARCHIVE))) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith(recording + "-")).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns the terms and snapshots recorded by the consensus module. */
    static List<RecordingLog.Entry> entries(Path folder) throws IOException {
        if (noteBytes(folder) == 0) {
            return List.of();
        }
        try (RecordingLog notes = new RecordingLog(folder.resolve(CONSENSUS).toFile(), false)) {
            return List.copyOf(notes.entries());
        } catch (AeronException e) {
            throw new IOException("the notes in " + folder + " cannot be read: " + FailureText.of(e), e);
        }
    }

    /** Returns the size of the file with terms and snapshots: the file grows with each term and each snapshot. */
    static long noteBytes(Path folder) throws IOException {
        try {
            return Files.size(folder.resolve(CONSENSUS).resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
        } catch (NoSuchFileException _) {
            return 0;
        }
    }
}
