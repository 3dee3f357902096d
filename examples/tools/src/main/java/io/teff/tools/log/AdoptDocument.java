package io.teff.tools.log;

/**
 * The result of adopting a copy as a JSON document; component names are the names in the document.
 *
 * @param folder folder of the log
 * @param adopted whether anything was changed
 */
public record AdoptDocument(String folder, boolean adopted) {}
