package io.teff.rdma.verbs.queue;

/**
 * A work request that has failed.
 *
 * @param workId as it was posted
 * @param status why
 * @param vendorError what the device adds; its meaning depends on the device
 * @param queuePairNumber of the queue pair; devices need not tell it for failed requests
 */
public record FailedCompletion(long workId, CompletionStatus status, int vendorError, int queuePairNumber) {}
