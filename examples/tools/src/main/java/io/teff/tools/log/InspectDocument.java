package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;

/**
 * The content of a log as a JSON document; component names are the names in the document.
 *
 * @param folder folder of the log
 * @param seconds time to read the log
 * @param report content of the log
 */
public record InspectDocument(String folder, double seconds, LogReport report) {}
