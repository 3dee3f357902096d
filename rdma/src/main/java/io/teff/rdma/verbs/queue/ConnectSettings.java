package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.device.PathMtu;

/**
 * How a connected queue pair sends, waits and tries again.
 *
 * @param mtu the largest payload of a packet, at most that of both ports
 * @param readsInitiated reads and atomic operations of this side under way, at most as many as the peer serves
 * @param readsServed reads and atomic operations of the peer that this side serves at a time
 * @param timeoutCode wait for an acknowledgement: 4.096 us times two to the power of this, 0 for ever; at most 31
 * @param retries sends again after such a wait, at most 7
 * @param receiverRetries sends again when the peer has no receive posted, at most 6; 7 for ever
 * @param receiverWaitCode how long the peer lets this side wait then: a code of the interface, 1 (10 us) to 31; 0 is
 *     the longest, 655 ms
 */
public record ConnectSettings(PathMtu mtu, int readsInitiated, int readsServed, int timeoutCode, int retries,
        int receiverRetries, int receiverWaitCode) {
    private static final int READS = 16;
    private static final int READS_MAX = 255;
    private static final int TIMEOUT_CODE = 14;
    private static final int RETRIES_MAX = 7;
    private static final int CODE_MAX = 31;
    private static final int RECEIVER_WAIT_CODE = 12;

    /** Checks the ranges. */
    public ConnectSettings {
        if (readsInitiated < 0 || readsInitiated > READS_MAX || readsServed < 0 || readsServed > READS_MAX
            || timeoutCode < 0 || timeoutCode > CODE_MAX || retries < 0 || retries > RETRIES_MAX || receiverRetries < 0
            || receiverRetries > RETRIES_MAX || receiverWaitCode < 0 || receiverWaitCode > CODE_MAX) {
            throw new IllegalArgumentException("readsInitiated=" + readsInitiated + " readsServed=" + readsServed
                + " timeoutCode=" + timeoutCode + " retries=" + retries + " receiverRetries=" + receiverRetries
                + " receiverWaitCode=" + receiverWaitCode);
        }
    }

    /**
     * {@return settings with 16 reads, seven retries after 67 ms each, and as many for a receiver that is not ready as
     * it takes}
     *
     * @param mtu the largest payload of a packet
     */
    public static ConnectSettings of(PathMtu mtu) {
        return new ConnectSettings(mtu, READS, READS, TIMEOUT_CODE, RETRIES_MAX, RETRIES_MAX, RECEIVER_WAIT_CODE);
    }

    /**
     * {@return these settings with other numbers of retries and another wait between them}
     *
     * @param code see {@link ConnectSettings}
     * @param times at most 7
     * @param receiverTimes the same, when the peer has no receive posted: at most 6, 7 for ever
     */
    public ConnectSettings withRetries(int code, int times, int receiverTimes) {
        return new ConnectSettings(mtu, readsInitiated, readsServed, code, times, receiverTimes, receiverWaitCode);
    }
}
