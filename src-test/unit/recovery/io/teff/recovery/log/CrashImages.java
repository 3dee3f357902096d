package io.teff.recovery.log;

import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import java.io.IOException;

/** Takes pictures of a disk in front of each call, as a killed process and as a power cut would leave it. */
public final class CrashImages {
    /** Looks at a picture. */
    @FunctionalInterface
    public interface Check {
        void look(FaultDisk image) throws IOException;
    }

    /** Looks at a picture, and is told whether it is of a kill. */
    @FunctionalInterface
    public interface KindCheck {
        void look(FaultDisk image, boolean isKill) throws IOException;
    }

    private long count;
    private boolean isBusy;

    /** Checks pictures in front of each call from now on: of a kill, of power cuts that keep all, none, or some. */
    public void takeFrom(FaultDisk disk, long seed, int randomCuts, Check check) {
        takeKindsFrom(disk, seed, randomCuts, (image, isKill) -> check.look(image));
    }

    /** The same. */
    public void takeKindsFrom(FaultDisk disk, long seed, int randomCuts, KindCheck check) {
        disk.beforeEachCall(() -> {
            if (!isBusy) {
                isBusy = true;
                takeKindsNow(disk, seed, randomCuts, check);
                isBusy = false;
            }
        });
    }

    /** Checks pictures of this moment. */
    public void takeNow(FaultDisk disk, long seed, int randomCuts, Check check) {
        takeKindsNow(disk, seed, randomCuts, (image, isKill) -> check.look(image));
    }

    /** The same. */
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

    /** How many pictures there were. */
    public long count() {
        return count;
    }
}
