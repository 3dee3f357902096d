package io.teff.cluster.net;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The threads of a network's agents, one each.
 *
 * <p>At the end the first agent waits until nothing is on its way at any of them, and closes; then the others do, who
 * find in their queues what it has handed to them.
 */
final class AgentThreads implements AutoCloseable {
    private final Agents agents;
    private final NetworkConfig config;
    private final Clock clock;
    private final List<Thread> threads;
    private volatile boolean isClosed;
    private volatile boolean isFirstClosed;
    /** How many have not looked since for what was sent before the end. */
    private final AtomicInteger looking;
    private final AtomicInteger running;
    private final Runnable begin;
    private final Runnable end;

    /**
     * Threads that do not run yet.
     *
     * @param begin done when the first of them ends, or before
     * @param end done when all have ended
     */
    AgentThreads(Agents agents, NetworkConfig config, Clock clock, Runnable begin, Runnable end) {
        this.agents = agents;
        this.config = config;
        this.clock = clock;
        final List<Node> all = agents.all();
        this.looking = new AtomicInteger(all.size());
        this.running = new AtomicInteger(all.size());
        this.begin = begin;
        this.end = end;
        this.threads = IntStream.range(0, all.size())
            .mapToObj(i -> Threads.SYSTEM.create(config.name(i), () -> run(all.get(i)))).toList();
    }

    /** Starts the threads; where one cannot, those that have started end, and the others count as ended. */
    void start() {
        int count = 0;
        try {
            for (Thread it : threads) {
                it.start();
                count++;
            }
        } finally {
            for (int i = count; i < threads.size(); i++) {
                looking.decrementAndGet();
                end(agents.all().get(i));
            }
        }
    }

    private void run(Node agent) {
        final IdleSteps idle = new IdleSteps(config.spinNs(), clock);
        agent.begin();
        try {
            while (!isClosed) {
                work(agent, idle, Long.MAX_VALUE);
            }
            agent.doWork();                                     // dials where the first message was sent just now
            looking.decrementAndGet();
            if (agent == agents.first()) {
                linger(agent, idle);
            }
            while (agent != agents.first() && !isFirstClosed) {
                work(agent, idle, Long.MAX_VALUE);
            }
        } finally {
            end(agent);
        }
    }

    /** Also of an agent that fails: then all end, and nobody waits for them. */
    private void end(Node agent) {
        isClosed = true;
        begin.run();
        try {
            agent.close();
        } finally {
            if (agent == agents.first()) {
                isFirstClosed = true;
            }
            agents.wakeUp();
            if (running.decrementAndGet() == 0) {
                end.run();
            }
        }
    }

    /** What others have sent they do not tell, so it looks now and then. */
    private void linger(Node agent, IdleSteps idle) {
        final long end = clock.nowNs() + config.lingerNs();
        while ((looking.get() > 0 || agents.isSending()) && clock.nowNs() - end < 0) {
            work(agent, idle, config.tickNs());
        }
    }

    private static void work(Node agent, IdleSteps idle, long mostNs) {
        if (Thread.interrupted()) {
            idle.worked();                                      // left behind by a handler: it could not sleep
        }
        if (agent.doWork() > 0) {
            idle.worked();
        } else if (!idle.step()) {
            agent.await(mostNs);
        }
    }

    /** Whether a thread is one of them. */
    boolean isOne(Thread thread) {
        return threads.contains(thread);
    }

    /** Ends them all, after what was sent has arrived or time is over; where one of them calls, it waits for none. */
    @Override
    public void close() {
        isClosed = true;
        agents.wakeUp();
        if (!isOne(Thread.currentThread())) {
            threads.forEach(Threads::join);
        }
    }
}
