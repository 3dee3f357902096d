package io.teff.cluster.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.compute.ApplicationContext;
import io.teff.cluster.compute.ClusterApplication;
import io.teff.cluster.log.LoggedLines;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications that run until they are stopped, that throw, and that have settings. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ApplicationsTest {
    @TempDir
    private Path folder;

    private final LoggedLines lines = new LoggedLines();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final class Sample implements ClusterApplication {
        private final String name;
        private final CountDownLatch stopped = new CountDownLatch(1);

        Sample(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void start(ApplicationContext context) throws Exception {
            events.add("start " + context.nid() + ' ' + context.setting("speed", "7") + ' '
                + context.setting("x", "y"));
            if (name.equals("throws")) {
                throw new IllegalStateException("as wished");
            }
            stopped.await();
            events.add("end " + context.isStopping());
        }

        @Override
        public void stop() {
            events.add("stop " + name);
            stopped.countDown();
        }
    }

    @Test
    void application_isStartedWithItsSettings_andStopped() throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("applications"));
        Files.writeString(folder.resolve("applications/sample.properties"), "speed = 9\n");
        Applications applications = new Applications(() -> 21, () -> {
            throw new AssertionError();
        }, folder, lines.log());
        applications.start(new Sample("sample"), Threads.SYSTEM);
        assertEquals("start 21 9 y", events.take());
        applications.start(new Sample("throws"), Threads.SYSTEM);
        assertEquals("start 21 7 y", events.take());
        applications.start(new Sample("../x"), Threads.SYSTEM);
        applications.close();
        assertEquals(List.of("end true", "stop sample", "stop throws"), events.stream().sorted().toList());
        assertTrue(lines.contains("as wished"));
        applications.close();
        applications.start(new Sample("late"), Threads.SYSTEM);
        assertEquals(3, events.size());
    }
}
