package io.teff.rdma.verbs.device;

/**
 * The limits of a device.
 *
 * @param firmware the version, as the device tells it; may be empty
 * @param vendorId of the device
 * @param portCount numbers of ports begin with 1
 * @param regionBytesMax length of a memory region
 * @param regionsMax memory regions
 * @param domainsMax protection domains
 * @param queuePairsMax queue pairs
 * @param requestsMax work requests of a queue of a queue pair
 * @param segmentsMax segments of a work request
 * @param completionQueuesMax completion queues
 * @param completionsMax entries of a completion queue
 * @param readsMax reads and atomic operations of peers at a queue pair at a time
 * @param readsInitiatedMax reads and atomic operations of a queue pair under way
 * @param atomics with whom atomic operations are atomic
 * @param addressHandlesMax address handles
 * @param sharedQueuesMax shared receive queues; 0 where there are none
 * @param sharedRequestsMax receives of a shared receive queue
 * @param sharedSegmentsMax segments of its receives
 */
public record DeviceAttributes(String firmware, int vendorId, int portCount, long regionBytesMax, int regionsMax,
        int domainsMax, int queuePairsMax, int requestsMax, int segmentsMax, int completionQueuesMax,
        int completionsMax, int readsMax, int readsInitiatedMax, AtomicCapability atomics, int addressHandlesMax,
        int sharedQueuesMax, int sharedRequestsMax, int sharedSegmentsMax) {}
