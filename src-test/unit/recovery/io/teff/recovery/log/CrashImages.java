package io.teff.recovery.log;

import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.SplittableRandom;

/** Takes images of a disk before each call, as a killed process and as a power cut would leave it. */
public final class CrashImages {
    /** Checks an image. */
    @FunctionalInterface
    public interface Check {
        void look(FaultDisk image) throws IOException;
    }

    /** Checks an image, given whether it is that of a kill. */
    @FunctionalInterface
    public interface KindCheck {
        void look(FaultDisk image, boolean isKill) throws IOException;
    }

    /** Images are taken before one of so many calls, unless a test names a number. */
    public static final int EACH = Form.size(9, 1, 1);

    private final int each;
    private final SplittableRandom choice = new SplittableRandom(7);
    private long count;
    private boolean isBusy;

    /** Takes images before each call, in the gate before one of nine. */
    public CrashImages() {
        this(EACH);
    }

    /** Takes images before one of so many calls on average, chosen at random, so that all kinds of calls are met. */
    public CrashImages(int each) {
        this.each = each;
    }

    /** Checks images before calls from now on: of a kill, and of power cuts that keep all, none, or some writes. */
    public void takeFrom(FaultDisk disk, long seed, int randomCuts, Check check) {
        takeKindsFrom(disk, seed, randomCuts, (image, isKill) -> check.look(image));
    }

    /** As {@link #takeFrom}, with the kind of each image. */
    public void takeKindsFrom(FaultDisk disk, long seed, int randomCuts, KindCheck check) {
        disk.beforeEachCall(() -> {
            if (!isBusy && choice.nextInt(each) == 0) {
                isBusy = true;
                takeKindsNow(disk, seed, randomCuts, check);
                isBusy = false;
            }
        });
    }

    /** Checks images of the current state. */
    public void takeNow(FaultDisk disk, long seed, int randomCuts, Check check) {
        takeKindsNow(disk, seed, randomCuts, (image, isKill) -> check.look(image));
    }

    /** As {@link #takeNow}, with the kind of each image. */
    public void takeKindsNow(FaultDisk disk, long seed, int randomCuts, KindCheck check) {
        look("killed", disk.killed(), true, check);
        look("cut, all kept", disk.powerCut(Choices.keep()), false, check);
        look("cut, all dropped", disk.powerCut(Choices.drop()), false, check);
        for (int i = 0; i < randomCuts; i++) {
            long choices = seed * 1_000_003 + count * 101 + i;
            look("cut, choices " + choices, disk.powerCut(Choices.random(choices)), false, check);
        }
    }

    private void look(String what, FaultDisk image, boolean isKill, KindCheck check) {
        count++;
        try {
            check.look(image, isKill);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("image " + count + ", " + what, e);
        }
    }

    /** Returns the number of images taken. */
    public long count() {
        return count;
    }
}
