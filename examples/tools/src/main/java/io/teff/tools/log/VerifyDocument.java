package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;
import java.util.List;

/**
 * The result of verifying a log as a JSON document; component names are the names in the document.
 *
 * @param folder folder of the log
 * @param seconds time to read the log
 * @param segments number of segments read
 * @param bytes size of all files
 * @param entries number of entries
 * @param damage places that cannot be read
 * @param unfinished tails that a crash left unfinished; nothing is missing there
 */
public record VerifyDocument(String folder, double seconds, long segments, long bytes, long entries,
                             List<LogReport.Place> damage, List<LogReport.Place> unfinished) {}
