package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.thread.IdleBackoff;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The threads of a network's agents, one thread for each agent.
 *
 * <p>At the end the first agent waits until no agent has frames on their way, and closes. The other agents close
 * afterwards; their queues hold links handed over by the first agent.
 */
public final class AgentThreads {
    /** The interval in which a closing thread checks the agents. */
    private static final long LOOK_NS = 50_000_000;

    private final Agents agents;
    private final NetworkConfig config;
    private final Clock clock;
    private final List<Thread> threads;
    private volatile boolean isClosed;
    /** The time for messages on their way; set before {@link #isClosed}. */
    private volatile long lingerNs;
    private volatile boolean isFirstClosed;
    /** Agents yet to check for frames sent before the end. */
    private final AtomicInteger looking;
    private final AtomicInteger running;
    private final Runnable begin;
    private final Runnable end;

    /**
     * Makes threads without starting them.
     *
     * @param agents of the network
     * @param config of the network
     * @param clock of the network
     * @param begin runs when the first thread ends, or before
     * @param end runs when all threads have ended
     */
    public AgentThreads(Agents agents, NetworkConfig config, Clock clock, Runnable begin, Runnable end) {
        this.agents = agents;
        this.config = config;
        this.clock = clock;
        final List<Agent> all = agents.all();
        this.looking = new AtomicInteger(all.size());
        this.running = new AtomicInteger(all.size());
        this.begin = begin;
        this.end = end;
        this.threads = IntStream.range(0, all.size())
            .mapToObj(i -> Threads.SYSTEM.create(config.name(i), () -> run(all.get(i)))).toList();
    }

    /**
     * Starts the threads. If a thread cannot be started, the threads started before end, and the rest count as ended.
     */
    public void start() {
        int count = 0;
        try {
            for (Thread thread : threads) {
                thread.start();
                count++;
            }
        } finally {
            for (int i = count; i < threads.size(); i++) {
                looking.decrementAndGet();
                end(agents.all().get(i));
            }
        }
    }

    private void run(Agent agent) {
        final IdleBackoff idle = new IdleBackoff(config.spinNs(), clock);
        agent.begin();
        try {
            while (!isClosed) {
                work(agent, idle, Long.MAX_VALUE);
            }
            agent.doWork();                                     // dials for messages sent just now
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

    /** Ends an agent. If the agent has failed, all agents end without a wait. */
    private void end(Agent agent) {
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

    /**
     * Checks in each tick whether agents have frames on their way, because other agents do not report their frames to
     * the first agent.
     */
    private void linger(Agent agent, IdleBackoff idle) {
        final long end = clock.nowNs() + lingerNs;
        while ((looking.get() > 0 || agents.isSending()) && clock.nowNs() - end < 0) {
            work(agent, idle, config.tickNs());
        }
    }

    private static void work(Agent agent, IdleBackoff idle, long mostNs) {
        if (Threads.dropInterrupt()) {
            idle.worked();                                      // left behind by a handler: the thread could not sleep
        }
        if (agent.doWork() > 0) {
            idle.worked();
        } else if (!idle.step()) {
            agent.await(mostNs);
        }
    }

    /** {@return whether a thread is one of these} */
    public boolean isOne(Thread thread) {
        return threads.contains(thread);
    }

    /**
     * Ends all threads, after the sent frames have arrived or the time has expired. If one of these threads is the
     * caller, no thread is awaited.
     *
     * @param mostNs the time in nanoseconds; the time of the first close counts
     * @param meanwhile runs now and then while the caller waits
     */
    public void close(long mostNs, Runnable meanwhile) {
        if (!isClosed) {
            lingerNs = mostNs;
        }
        isClosed = true;
        agents.wakeUp();
        if (!isOne(Thread.currentThread())) {
            for (Thread thread : threads) {
                while (!Threads.join(thread, LOOK_NS)) {
                    meanwhile.run();
                }
            }
        }
    }
}
