package io.teff.cluster.superpeer;

import io.teff.cluster.access.Right;
import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.meta.UnbindNode;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneSent;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.meta.ZoneSpread;
import io.teff.cluster.meta.ZoneVacant;
import io.teff.cluster.meta.ZoneWidth;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;

/** The right that each command, and each step of services, needs. */
final class CellRights {
    private CellRights() {}

    /** Returns the right for a command. Each new command needs a case here. */
    static Right of(Command command) {
        return switch (command) {
            case Command.ZoneSought _ -> Right.READ;
            case Command.ClientOpen _, Command.ClientGone _ -> Right.WRITE;
            case Command.AcceptLoss _, Command.AddSuperpeer _, Command.RemoveSuperpeer _, Command.Ended _,
                UnloadNode _, UnbindNode _, ZoneSent _, ZoneSpread _, ZoneWidth _ -> Right.OPERATE;
            case Command.ZonesRebuilt _, Command.NewZones _ -> Right.ADMINISTER;
            case Command.Join _, Command.SuperpeerLife _, Command.Begin _, Command.SuperpeerMoved _,
                Command.SuperpeerStands _, Command.Vote _, Command.ZoneFull _, Command.BackupFailed _,
                Command.Fenced _, Command.Hedge _, Command.Owned _, Command.AddBackup _, Command.Learned _,
                Command.ClaimZone _, Command.HandOver _, Command.CannotRestore _, Command.Founded _,
                Command.DoWithout _, Command.Returned _, RegistryChange _, ZoneSite _, ZoneVacant _ -> Right.NODE;
        };
    }

    /** Checks that the sender of the handled message may propose a command. */
    static void check(Command command) {
        final Right right = of(command);
        SessionCaller.require(right, right == Right.OPERATE ? command.toString() : command.getClass().getSimpleName());
    }

    /** Returns the right for a step of services. A code without a case needs the right of an administrator. */
    static Right of(int code) {
        return switch (code) {
            case StepCode.GET, StepCode.LIST, StepCode.WATCH, StepCode.AWAIT, StepCode.HOLDER, StepCode.VALUES ->
                Right.READ;
            case StepCode.OPEN, StepCode.CLOSE, StepCode.BEAT, StepCode.PUT, StepCode.REMOVE, StepCode.ADD,
                StepCode.ENTER, StepCode.LEAVE -> Right.WRITE;
            default -> Right.ADMINISTER;
        };
    }

    /** Checks that the sender of the handled message may take a step of services. */
    static void check(RegistryStep step) {
        final int code = step.code();
        switch (code) {
            case StepCode.OPEN, StepCode.CLOSE, StepCode.BEAT -> SessionCaller.require(of(code), "");
            case StepCode.GET, StepCode.LIST, StepCode.WATCH, StepCode.AWAIT, StepCode.HOLDER, StepCode.VALUES,
                StepCode.PUT, StepCode.REMOVE, StepCode.ADD, StepCode.ENTER, StepCode.LEAVE ->
                SessionCaller.requireService(of(code), step.name(),
                    code == StepCode.LIST || code == StepCode.WATCH);
            default -> SessionCaller.require(of(code), "step " + code + " of services");
        }
    }
}
