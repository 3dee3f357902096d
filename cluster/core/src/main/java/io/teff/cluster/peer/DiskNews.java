package io.teff.cluster.peer;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;

/** Logs when the log of backups takes no changes because of a full disk, and when the log takes changes again. */
record DiskNews(NodeLog events, Runnable logFailed) implements BackupService.Failures {
    @Override
    public void failed(RuntimeException e) {
        if (e instanceof StoreException it && it.category() != StoreException.Category.FATAL) {
            final String text = "the log of backups takes no changes for now: " + FailureText.of(e);
            events.log(NodeEvent.DISK_FULL, NodeLog.words(text), text);
        }
        logFailed.run();
    }

    @Override
    public void accepted() {
        events.log(NodeEvent.DISK_ROOM, "the log of backups takes changes again");
    }
}
