package io.teff.recovery.log;

import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import java.io.IOException;

/** Takes pictures of a disk in front of each call, as a killed process and as a power cut would leave it. */
final class CrashImages {
    /** Looks at a picture. */
    @FunctionalInterface
    interface Check {
        void look(FaultDisk image) throws IOException;
    }

    private long count;
    private boolean isBusy;

    /** Checks pictures in front of each call from now on: of a kill, of power cuts that keep all, none, or some. */
    void takeFrom(FaultDisk disk, long seed, int randomCuts, Check check) {
        disk.beforeEachCall(() -> {
            if (!isBusy) {
                isBusy = true;
                takeNow(disk, seed, randomCuts, check);
                isBusy = false;
            }
        });
    }

    /** Checks pictures of this moment. */
    void takeNow(FaultDisk disk, long seed, int randomCuts, Check check) {
        look("killed", disk.killed(), check);
        look("cut, all kept", disk.powerCut(Choices.keep()), check);
        look("cut, all dropped", disk.powerCut(Choices.drop()), check);
        for (int i = 0; i < randomCuts; i++) {
            long choices = seed * 1_000_003 + count * 101 + i;
            look("cut, choices " + choices, disk.powerCut(Choices.random(choices)), check);
        }
    }

    private void look(String what, FaultDisk image, Check check) {
        count++;
        try {
            check.look(image);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("image " + count + ", " + what, e);
        }
    }

    /** How many pictures there were. */
    long count() {
        return count;
    }
}
