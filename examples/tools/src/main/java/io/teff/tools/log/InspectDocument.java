package io.teff.tools.log;

import io.teff.recovery.tool.LogReport;

/**
 * What is in a log, as programs read it. Names of components are the names in the JSON document.
 *
 * @param folder of the log
 * @param seconds time in which it was read
 * @param report what is in it
 */
public record InspectDocument(String folder, double seconds, LogReport report) {}
