package io.teff.test.crash;

import io.teff.engine.Cid;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.recovery.DurableConfig;
import io.teff.recovery.DurableStore;
import io.teff.recovery.EndedStacks;
import io.teff.recovery.Level;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The child: opens the store, compares it with the ledger, and works until it is killed or asked to stop. It reports
 * its progress to its parent by lines on standard output.
 */
public final class Worker {
    /** No violation; the child was asked to stop. */
    static final int EXIT_GOOD = 0;
    /** A violation was found and reported. */
    static final int EXIT_WRONG = 3;
    /** The store could not be opened, as expected of a failing disk. */
    static final int EXIT_REFUSED = 4;
    /** The log has closed itself, as expected of a failing disk; reads continued. */
    static final int EXIT_FAILED = 5;

    static final String STARTED = "started";
    static final String OPENED = "opened";
    static final String CHECKED = "checked";
    /** Followed by the number of records that a thread has left without an end. */
    static final String STACKS = "stacks";
    static final String REFUSED = "refused";
    /** Followed by the reason why a removal was refused. */
    static final String REMOVAL_REFUSED = "removal-refused";
    static final String FAILED = "failed";

    private static final int BUFFER_BYTES = 8 << 20;
    private static final int SEGMENT_BYTES = 2 << 20;
    private static final long MEMORY_BYTES = 1L << 30;
    private static final int NID = 3;
    private static final int READS_AFTER_FAILURE = 2000;
    private static final long STACK_CID = Cid.of(9, 77 << 20);
    private static final long STACK_REST_NS = 10_000_000;

    private final WorkerPlan plan;
    private final PrintStream out;
    private final List<Load> loads = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopped;

    private Worker(WorkerPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /** Runs one process; its plan is in the arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println(STARTED);
        Runtime.getRuntime().halt(new Worker(WorkerPlan.parse(arguments), out).run());
    }

    private int run() throws IOException, InterruptedException {
        final byte[] ballast = plan.plant().ballast();
        try {
            return work();
        } finally {
            Reference.reachabilityFence(ballast);
        }
    }

    private int work() throws IOException, InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> wrong(thread, failure));
        try (Ledger ledger = Ledger.open(plan.ledger())) {
            final long begun = System.nanoTime();
            final DurableStore durable;
            try {
                durable = DurableStore.open(plan.folder(), config());
            } catch (StoreException e) {
                if (!plan.isTolerant()) {
                    throw e;
                }
                out.println(REFUSED + " " + e.category() + " " + e.getMessage());
                return EXIT_REFUSED;
            }
            out.println(OPENED + " " + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
            try (durable) {
                return run(durable, ledger);
            } catch (StoreException e) {
                return failed(e);
            }
        }
    }

    private DurableConfig config() {
        final DurableConfig.Builder builder = DurableConfig.builder();
        if (plan.plant() == Plant.GROWING) {
            builder.cleanPercent(0);
        }
        return builder.acceptDamage(plan.plant() == Plant.ACCEPTING)
            .level(plan.isSynced() ? Level.SYNCED : Level.LOGGED)
            .store(StoreConfig.builder().nid(NID).memoryLimitBytes(MEMORY_BYTES).build())
            .writeBufferBytes(BUFFER_BYTES).segmentBytes(SEGMENT_BYTES).build();
    }

    private int run(DurableStore durable, Ledger ledger) throws IOException, InterruptedException {
        final Target target = new Target(durable, ledger);
        final Check check = new Check(target);
        if (isWrong(check.run())) {
            return EXIT_WRONG;
        }
        check.settle();
        out.println(CHECKED + " " + check.present());
        final Thread reader = start(target);
        final Thread stacks = new Thread(() -> endStacks(durable), "stacks");
        if (plan.endsStacks()) {
            stacks.start();
        }
        final Thread listener = new Thread(this::listen, "listener");
        listener.setDaemon(true);
        listener.start();
        for (Thread thread : threads) {
            thread.join();
        }
        final StoreException failure = loads.stream().map(Load::failure).filter(Objects::nonNull).findFirst()
            .orElse(null);
        if (failure != null) {
            readOn(target);
        }
        isStopped = true;
        reader.join();
        stacks.join();
        final Check last = new Check(target);
        if (isWrong(last.run())) {
            return EXIT_WRONG;
        }
        return failure == null ? EXIT_GOOD : failed(failure);
    }

    private int failed(StoreException failure) {
        if (!plan.isTolerant()) {
            throw failure;
        }
        out.println(FAILED + " " + failure.category() + " " + failure.getMessage());
        return EXIT_FAILED;
    }

    private Thread start(Target target) {
        final SplittableRandom seeds = new SplittableRandom(plan.seed());
        for (int i = 0; i < Ledger.THREADS; i++) {
            final Load load = new Load(target, i, seeds.nextLong(), plan.plant(), plan.isTolerant(), out);
            loads.add(load);
            final Thread thread = new Thread(load, "load-" + i);
            threads.add(thread);
            thread.start();
        }
        final long seed = seeds.nextLong();
        final Thread reader = new Thread(() -> read(target, new SplittableRandom(seed)), "reader");
        reader.start();
        return reader;
    }

    /** Reads chunks of other threads, and records the states seen, which must persist. */
    private void read(Target target, SplittableRandom random) {
        while (!isStopped) {
            final long key = Group.OWN.key(random.nextInt(Ledger.THREADS), random.nextInt(Group.OWN.count));
            final byte[] bytes = target.readChunk(target.cid(key));
            if (bytes != null && Content.hasHead(bytes)) {
                if (!Check.isOfKey(key, bytes)) {
                    throw new WrongException(new Wrong(Wrong.Kind.TORN, Group.text(key) + " in memory"));
                }
                if (!plan.isTolerant()
                    && State.version(Content.state(bytes)) > State.version(target.ledger.seen(key))) {
                    target.ledger.setSeen(key, Content.state(bytes));
                }
            }
            target.ledger.countRead();
        }
    }

    /** Lets stacks end in the middle of records, one after the other. */
    private void endStacks(DurableStore durable) {
        try {
            final EndedStacks ended = EndedStacks.of(durable, STACK_CID, plan.plant() != Plant.UNENDED);
            while (!isStopped) {
                final int count = ended.run();
                if (count > 0) {
                    out.println(STACKS + " " + count);
                }
                LockSupport.parkNanos(STACK_REST_NS);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that reads continue after the log was closed. */
    private static void readOn(Target target) {
        final long goal = target.ledger.reads() + READS_AFTER_FAILURE;
        while (target.ledger.reads() < goal) {
            Thread.onSpinWait();
        }
    }

    /** Stops on request of the parent, or when the parent is gone. */
    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            in.readLine();
        } catch (IOException _) {
            // the parent is gone, which also ends the child
        }
        loads.forEach(Load::stop);
    }

    private boolean isWrong(List<Wrong> wrongs) {
        wrongs.forEach(wrong -> out.println(wrong.line()));
        return !wrongs.isEmpty();
    }

    private void wrong(Thread thread, Throwable failure) {
        final Wrong wrong = failure instanceof WrongException it ? it.wrong()
            : new Wrong(Wrong.Kind.AUDIT, thread.getName() + ": " + oneLine(failure));
        out.println(wrong.line());
        Runtime.getRuntime().halt(EXIT_WRONG);
    }

    private static String oneLine(@Nullable Throwable failure) {
        final StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause).append(' ').append(List.of(cause.getStackTrace())).append(' ');
        }
        return text.toString().replace('\n', ' ');
    }
}
