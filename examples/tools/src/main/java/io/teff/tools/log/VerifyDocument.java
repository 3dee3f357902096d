package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import java.util.List;

/**
 * Whether a log is damaged, as programs read it. Names of components are the names in the JSON document.
 *
 * @param folder of the log
 * @param seconds time in which it was read
 * @param segments how many were read
 * @param bytes of all files
 * @param entries that are there
 * @param damage what should be there and cannot be read
 * @param unfinished what a crash has left unfinished: nothing is missing there
 */
public record VerifyDocument(String folder, double seconds, long segments, long bytes, long entries,
                             List<LogReport.Place> damage, List<LogReport.Place> unfinished) {}
