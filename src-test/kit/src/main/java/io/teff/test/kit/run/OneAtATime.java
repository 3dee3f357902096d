package io.teff.test.kit.run;

import io.teff.test.kit.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Lets one class with the tag {@code processes} run at a time, in all JVMs of tests of this repository: nodes and child
 * JVMs of two such classes would wait for each other's processors. Other classes run beside it.
 *
 * <p>The class holds a lock on a file. The kernel releases the lock of a JVM that dies.
 */
public final class OneAtATime implements TestExecutionListener {
    private static final TestTag PROCESSES = TestTag.create("processes");
    private static final String FILE = "target/processes.lock";

    private FileChannel channel;
    private UniqueId holder;

    @Override
    public void executionStarted(TestIdentifier test) {
        if (holder == null && test.isContainer() && test.getTags().contains(PROCESSES)) {
            Path file = Project.file(FILE);
            try {
                Files.createDirectories(file.getParent());
                channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                channel.lock();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            holder = test.getUniqueIdObject();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.getUniqueIdObject().equals(holder)) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            holder = null;
        }
    }
}
