package io.teff.cluster.job;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.engine.compute.JobPriority;
import io.teff.engine.work.JobPool;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs the jobs that clients send to a peer. Jobs share a pool of threads; no thread waits for backups, because the
 * answer of a job leaves when the host says so. Thread-safe.
 *
 * <p><b>Limits.</b> A client has at most {@link #CLIENT_JOBS_MAX} jobs at a peer, waiting and running. More are
 * answered as BUSY, and the client sends them again later.
 */
public final class JobService implements AutoCloseable {
    /** Most jobs of a client at a peer. */
    public static final int CLIENT_JOBS_MAX = 4_096;

    private static final JobPriority[] PRIORITIES = JobPriority.values();

    private final JobHost home;
    private final JobPool pool;
    private final GroupService groups;
    private final Map<Key, ServedJob> jobs = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> counts = new ConcurrentHashMap<>();

    private record Key(int client, long id) {}

    /**
     * Creates a service.
     *
     * @param home the peer
     * @param threads number of threads of jobs, from 1
     */
    public JobService(JobHost home, int threads) {
        this.home = home;
        pool = new JobPool("teff-job-" + home.node().nid(), threads, home.platform().threads());
        groups = new GroupService(home, pool);
    }

    /**
     * Registers the handlers.
     *
     * @param network of the peer
     */
    public void register(Network network) {
        final HandledBy by = HandledBy.pool("jobs", 2);
        network.answerLater(JobMessages.JOB, by, this::begin);
        network.handle(JobMessages.CANCEL, by, (from, cancel) -> {
            final ServedJob job = jobs.get(new Key(from, cancel.id()));
            if (job != null) {
                job.cancel();
            }
        });
        groups.register(network, by);
    }

    private void begin(int from, JobRequest request, Answer<JobAnswer> answer) {
        final Key key = new Key(from, request.id());
        final ServedJob next = new ServedJob(home, request, answer, () -> end(key));
        final ServedJob running = jobs.putIfAbsent(key, next);
        if (running != null) {
            running.askedAgain(answer);
            return;
        }
        final boolean hasRoom = counts.merge(from, 1, Integer::sum) <= CLIENT_JOBS_MAX;
        final JobPriority priority = PRIORITIES[Math.floorMod(request.priority(), PRIORITIES.length)];
        if (!hasRoom || !pool.add(priority, next)) {
            end(key);
            answer.complete(JobAnswer.of(JobAnswer.BUSY, hasRoom ? JobPool.QUEUED_MAX + " jobs wait at "
                + home.node() : "the client has " + CLIENT_JOBS_MAX + " jobs at " + home.node()));
        }
    }

    private void end(Key key) {
        if (jobs.remove(key) != null) {
            counts.computeIfPresent(key.client, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** {@return the number of jobs that wait or run} */
    public int jobs() {
        return jobs.size();
    }

    /** Ends the threads after their running jobs. Does not wait. Idempotent. */
    @Override
    public void close() {
        jobs.values().forEach(ServedJob::cancel);
        groups.close();
        pool.close();
    }
}
