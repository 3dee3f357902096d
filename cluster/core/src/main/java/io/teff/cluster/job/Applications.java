package io.teff.cluster.job;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.compute.ApplicationContext;
import io.teff.cluster.compute.ClusterApplication;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import io.teff.engine.work.Registered;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The applications of a peer, from its start to its end. Thread-safe. */
public final class Applications implements AutoCloseable {
    private static final String FOLDER = "applications";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,100}");

    private final IntSupplier nid;
    private final Supplier<ClusterStore> store;
    private final Path folder;
    private final NodeLog log;
    private final List<Running> running = new ArrayList<>();
    private volatile boolean isClosed;

    /** An application with its thread. */
    private record Running(ClusterApplication application, Thread thread) {}

    /**
     * Begins without applications.
     *
     * @param nid of the peer now
     * @param store the whole cluster
     * @param folder data folder of the node
     * @param log of the node
     */
    public Applications(IntSupplier nid, Supplier<ClusterStore> store, Path folder, NodeLog log) {
        this.nid = nid;
        this.store = store;
        this.folder = folder;
        this.log = log;
    }

    /**
     * Starts the applications on the class path.
     *
     * @param threads makes their threads
     */
    public void start(Threads threads) {
        final Registered<ClusterApplication> found = new Registered<>(ClusterApplication::name)
            .addAll(ServiceLoader.load(ClusterApplication.class, ClusterApplication.class.getClassLoader()));
        found.problems().forEach(problem -> log.log(NodeEvent.FAULT, "an application cannot be loaded: " + problem));
        found.all().forEach(application -> start(application, threads));
    }

    /**
     * Starts an application.
     *
     * @param application to start
     * @param threads makes its thread
     */
    public synchronized void start(ClusterApplication application, Threads threads) {
        final String name = application.name();
        if (isClosed) {
            return;
        }
        if (!NAME.matcher(name).matches()) {
            log.log(NodeEvent.FAULT, "application " + application.getClass().getName() + " has a wrong name: " + name);
            return;
        }
        final Thread thread = threads.create("teff-application-" + name, () -> run(application, name));
        running.add(new Running(application, thread));
        thread.start();
    }

    private void run(ClusterApplication application, String name) {
        try {
            application.start(new Context(settings(name)));
        } catch (Exception | Error e) {                         // of the application: the node goes on
            log.log(NodeEvent.FAULT, "application " + name + " has failed: " + FailureText.of(e));
        }
    }

    private Properties settings(String name) throws IOException {
        final Properties settings = new Properties();
        final Path file = folder.resolve(FOLDER).resolve(name + ".properties");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                settings.load(reader);
            }
        }
        return settings;
    }

    /** The face for one application. */
    private final class Context implements ApplicationContext {
        private final Properties settings;

        Context(Properties settings) {
            this.settings = settings;
        }

        @Override
        public int nid() {
            return nid.getAsInt();
        }

        @Override
        public ClusterStore store() {
            return store.get();
        }

        @Override
        public String setting(String key, String otherwise) {
            return settings.getProperty(key, otherwise);
        }

        @Override
        public boolean isStopping() {
            return isClosed;
        }

        @Override
        public void log(String line) {
            log.log(NodeEvent.NODE, line);
        }
    }

    /** Stops all applications, and waits for their threads for a time. Idempotent. */
    @Override
    public void close() {
        final List<Running> all;
        synchronized (this) {
            isClosed = true;
            all = List.copyOf(running);
            running.clear();
        }
        for (Running each : all) {
            try {
                each.application.stop();
            } catch (RuntimeException | Error e) {              // of the application: the others are stopped, too
                log.log(NodeEvent.FAULT, "application " + each.application.name() + " fails to stop: "
                    + FailureText.of(e));
            }
        }
        for (Running each : all) {
            if (!Threads.join(each.thread, ApplicationContext.STOP_NS)) {
                log.log(NodeEvent.FAULT, "application " + each.application.name() + " does not end");
            }
        }
    }
}
