package io.teff.rdma.reads;

/**
 * Counts of a reader, since the creation of the reader.
 *
 * @param oneSided reads without a request to the owner
 * @param oneRound one-sided reads with a single round, because the reader remembered the entry
 * @param repeated rounds without a valid result, because the stripe of the chunk had changed
 * @param requests reads with a request to the owner
 */
public record ReadStatistics(long oneSided, long oneRound, long repeated, long requests) {}
