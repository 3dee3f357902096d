package io.teff.test.crash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The observations of a run; filled by one thread. */
final class CrashReport {
    private static final double MILLISECOND_US = 1000;

    private final List<Wrong> wrongs = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<Long> recoveriesUs = new ArrayList<>();
    private int kills;
    private int killsWhileOpening;
    private int killsAtCalls;
    private int stops;
    private int failedCalls;
    private int closedLogs;
    private int fullDisks;
    private int wounds;
    private int woundsRefused;
    private int stacksEnded;
    private long operations;
    private long refused;
    private long segmentBytesMax;

    // ---- filling ----

    void killed(boolean wasOpening) {
        kills++;
        killsWhileOpening += wasOpening ? 1 : 0;
    }

    void killedAtCall() {
        killsAtCalls++;
    }

    void stopped() {
        stops++;
    }

    /** Counts a failed system call. */
    void callFailed(boolean hasClosedTheLog) {
        failedCalls++;
        closedLogs += hasClosedTheLog ? 1 : 0;
    }

    /** Counts a damaged file. */
    void wounded(boolean isRefused) {
        wounds++;
        woundsRefused += isRefused ? 1 : 0;
    }

    int wounds() {
        return wounds;
    }

    /** Counts records that were claimed and not committed, as the stacks of their threads have ended. */
    void stacksEnded(int count) {
        stacksEnded += count;
    }

    int stacksEnded() {
        return stacksEnded;
    }

    void diskFull() {
        fullDisks++;
    }

    void recovered(long microseconds) {
        recoveriesUs.add(microseconds);
    }

    void add(long moreOperations, long moreRefused) {
        operations += moreOperations;
        refused += moreRefused;
    }

    /** Adds the bytes of all segments of a place after the end of a child. */
    void segments(long bytes) {
        segmentBytesMax = Math.max(segmentBytesMax, bytes);
    }

    void wrong(Wrong wrong) {
        wrongs.add(wrong);
    }

    void skip(String what) {
        skipped.add(what);
    }

    // ---- output ----

    boolean isGood() {
        return wrongs.isEmpty();
    }

    List<Wrong> wrongs() {
        return List.copyOf(wrongs);
    }

    /** Returns the parts that this machine does not support. */
    List<String> skipped() {
        return List.copyOf(skipped);
    }

    long operations() {
        return operations;
    }

    int killsAtCalls() {
        return killsAtCalls;
    }

    int failedCalls() {
        return failedCalls;
    }

    long refused() {
        return refused;
    }

    private long count(Wrong.Kind kind) {
        return wrongs.stream().filter(wrong -> wrong.kind() == kind).count();
    }

    private double recoveryMs(double share) {
        final long[] all = recoveriesUs.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(all);
        return all.length == 0 ? 0 : all[(int) (share * (all.length - 1))] / MILLISECOND_US;
    }

    /** Returns a summary of a few lines. */
    String text() {
        final String found = Stream.of(Wrong.Kind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT) + " " + count(kind)).collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, """
            crash: %s
              kills        %,d at random moments (%,d while opening), %,d at calls of the system; %,d clean stops
              failing      %,d calls of the system, which closed the log %,d times; %,d full disks
              damaged      %,d files, %,d of which were refused
              stacks       %,d threads left records without an end
              operations   %,d acknowledged, %,d refused by a full disk
              found        %s
              recovery     %,d times: median %.0f ms, longest %.0f ms
              segments     at most %,d bytes at the end of a session
            """, isGood() ? "passed" : "FAILED", kills, killsWhileOpening, killsAtCalls, stops, failedCalls,
            closedLogs, fullDisks, wounds, woundsRefused, stacksEnded, operations, refused, found, recoveriesUs.size(),
            recoveryMs(1.0 / 2),
            recoveryMs(1), segmentBytesMax) + skipped.stream().map(what -> "  skipped      " + what + "\n")
                .collect(Collectors.joining());
    }
}
