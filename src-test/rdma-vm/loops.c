/* The loops of "./teff bench rdma" in C: two reliable queue pairs, driven by one thread, as the class VerbsEnd does it.
 *     cc -O2 -o loops loops.c -libverbs
 *     ./loops LEFT_DEVICE LEFT_GID_INDEX RIGHT_DEVICE RIGHT_GID_INDEX PATTERN BYTES MEASURE_MS
 * The devices may be one. Measures after a warm-up of the same time, and prints figures: a number and its name in each
 * line. */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(1); } } while (0)
#define MEMORY (1 << 20)
#define RIGHTS (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)
#define PORT 1
#define RECEIVES 128
#define SENDS 64
#define READS 16
#define COMPLETIONS 16
#define BURST 16
#define POLLS 10000
#define SAMPLES (8 << 20)
#define RECEIVE (1ULL << 32)

struct end {
    struct ibv_context *context;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    char *memory;
    int gid, under_way;
    long arrived;
};

static int operation, bytes, window, is_one_sided;
static long *samples, count;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

static struct end make(const char *device, const char *gid)
{
    struct end e = { .gid = atoi(gid) };
    int devices;
    struct ibv_device **list = ibv_get_device_list(&devices);
    for (int i = 0; i < devices; i++)
        if (!strcmp(device, ibv_get_device_name(list[i])))
            e.context = ibv_open_device(list[i]);
    CHECK(e.context);
    struct ibv_pd *pd = ibv_alloc_pd(e.context);
    CHECK(pd);
    CHECK(e.cq = ibv_create_cq(e.context, 2 * (RECEIVES + SENDS), NULL, NULL, 0));
    struct ibv_qp_init_attr a = { .send_cq = e.cq, .recv_cq = e.cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = SENDS, .max_recv_wr = RECEIVES, .max_send_sge = 1, .max_recv_sge = 1 } };
    CHECK(e.qp = ibv_create_qp(pd, &a));
    CHECK(!posix_memalign((void **)&e.memory, 4096, MEMORY));
    memset(e.memory, 0, MEMORY);
    CHECK(e.mr = ibv_reg_mr(pd, e.memory, MEMORY, IBV_ACCESS_LOCAL_WRITE | RIGHTS));
    return e;
}

static void receive(struct end *e)
{
    struct ibv_sge g = { (uintptr_t)e->memory, bytes, e->mr->lkey };
    struct ibv_recv_wr w = { .wr_id = RECEIVE, .sg_list = &g, .num_sge = 1 }, *bad;
    CHECK(!ibv_post_recv(e->qp, &w, &bad));
}

static void connect_to(struct end *e, struct end *to)
{
    struct ibv_port_attr own, peer;
    union ibv_gid gid;
    CHECK(!ibv_query_port(e->context, PORT, &own));
    CHECK(!ibv_query_port(to->context, PORT, &peer));
    CHECK(!ibv_query_gid(to->context, PORT, to->gid, &gid));
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = RIGHTS };
    CHECK(!ibv_modify_qp(e->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR,
        .path_mtu = own.active_mtu < peer.active_mtu ? own.active_mtu : peer.active_mtu,
        .dest_qp_num = to->qp->qp_num, .rq_psn = 1234, .max_dest_rd_atomic = READS, .min_rnr_timer = 12,
        .ah_attr = { .is_global = 1, .dlid = peer.lid, .port_num = PORT,
        .grh = { .dgid = gid, .sgid_index = e->gid, .hop_limit = 64 } } };
    CHECK(!ibv_modify_qp(e->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN
        | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
        .sq_psn = 1234, .max_rd_atomic = READS };
    CHECK(!ibv_modify_qp(e->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
        | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
    for (int i = 0; i < RECEIVES && !is_one_sided; i++)
        receive(e);
}

/* Begins an operation; returns 0 while too many are under way. */
static int begin(struct end *e, struct end *to)
{
    if (e->under_way >= window)
        return 0;
    struct ibv_sge g = { (uintptr_t)e->memory, bytes, e->mr->lkey };
    struct ibv_send_wr w = { .sg_list = &g, .num_sge = 1, .opcode = operation, .send_flags = IBV_SEND_SIGNALED };
    struct ibv_send_wr *bad;
    if (operation == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        w.wr.atomic.remote_addr = (uintptr_t)to->memory;
        w.wr.atomic.rkey = to->mr->rkey;
        w.wr.atomic.compare_add = 1;
    } else if (operation != IBV_WR_SEND) {
        w.wr.rdma.remote_addr = (uintptr_t)to->memory;
        w.wr.rdma.rkey = to->mr->rkey;
    }
    CHECK(!ibv_post_send(e->qp, &w, &bad));
    e->under_way++;
    return 1;
}

/* Returns how many operations have ended. */
static int poll(struct end *e)
{
    struct ibv_wc w[COMPLETIONS];
    int n = ibv_poll_cq(e->cq, COMPLETIONS, w), ended = 0;
    CHECK(n >= 0);
    for (int i = 0; i < n; i++) {
        CHECK(w[i].status == IBV_WC_SUCCESS);
        if (w[i].wr_id & RECEIVE) {
            e->arrived++;
            receive(e);
        } else {
            e->under_way--;
            ended++;
        }
    }
    return ended;
}

static void sample(long ns)
{
    if (count < SAMPLES)
        samples[count] = ns;
    count++;
}

static void ping_pong(struct end *a, struct end *b, long ns)
{
    long start = now(), end = start + ns, t;
    do {
        long seen = a->arrived, there = b->arrived;
        while (!begin(a, b))
            poll(a);
        while (b->arrived == there)
            poll(b);
        while (!begin(b, a))
            poll(b);
        while (a->arrived == seen)
            poll(a);
        t = now();
        sample(t - start);
        start = t;
    } while (start < end);
}

static void one_sided(struct end *a, struct end *b, long ns)
{
    long start = now(), end = start + ns, t;
    do {
        while (!begin(a, b))
            poll(a);
        while (!poll(a))
            ;
        t = now();
        sample(t - start);
        start = t;
    } while (start < end);
}

static void rate(struct end *a, struct end *b, long ns)
{
    long end = now() + ns, ended = 0, before = b->arrived;
    do {
        for (int n = 0; n < BURST && begin(a, b); n++)
            ;
        ended += poll(a);
        if (!is_one_sided)
            poll(b);
    } while (now() < end);
    count = is_one_sided ? ended : b->arrived - before;
}

static void settle(struct end *a, struct end *b)
{
    while (a->under_way || b->under_way) {
        poll(a);
        poll(b);
    }
}

static void print(double number, const char *name)
{
    printf("%.4f %s\n", number, name);
}

static double percentile(double rank, double parts)
{
    long n = count < SAMPLES ? count : SAMPLES, i = n * rank / 100;
    return samples[i < n ? i : n - 1] / 1e3 / parts;
}

int main(int argc, char **argv)
{
    CHECK(argc == 8);
    const char *pattern = argv[5];
    long ns = atol(argv[7]) * 1000000L, start = 0, used = 0;
    int is_latency = strstr(pattern, "rate") == NULL && strcmp(pattern, "bandwidth");
    bytes = atoi(argv[6]);
    operation = strstr(pattern, "read") ? IBV_WR_RDMA_READ : strstr(pattern, "write") ? IBV_WR_RDMA_WRITE
        : strstr(pattern, "atomic") ? IBV_WR_ATOMIC_FETCH_AND_ADD : IBV_WR_SEND;
    is_one_sided = operation != IBV_WR_SEND;
    window = operation == IBV_WR_RDMA_READ || operation == IBV_WR_ATOMIC_FETCH_AND_ADD ? READS : SENDS;
    CHECK(samples = malloc(SAMPLES * sizeof *samples));
    struct end a = make(argv[1], argv[2]), b = make(argv[3], argv[4]);
    connect_to(&a, &b);
    connect_to(&b, &a);
    for (int round = 0; round < 2; round++) {
        count = 0;
        start = now();
        if (!strcmp(pattern, "poll")) {
            while (now() - start < ns)
                for (int i = 0; i < POLLS; i++, count++)
                    poll(&a);
        } else if (!strcmp(pattern, "ping-pong"))
            ping_pong(&a, &b, ns);
        else if (is_latency)
            one_sided(&a, &b, ns);
        else
            rate(&a, &b, ns);
        used = now() - start;
        settle(&a, &b);
    }
    if (!strcmp(pattern, "poll")) {
        print(used / (double)count, "ns");
    } else if (is_latency) {
        double parts = strcmp(pattern, "ping-pong") ? 1 : 2;
        qsort(samples, count < SAMPLES ? count : SAMPLES, sizeof *samples, compare);
        print(percentile(50, parts), "p50 us");
        print(percentile(90, parts), "p90 us");
        print(percentile(99, parts), "p99 us");
        print(percentile(99.9, parts), "p99.9 us");
        print(percentile(100, parts), "max us");
        print(count * 1e6 / used, "K/s");
    } else {
        print(count * 1e3 / used, "M/s");
        print(count * 1e3 * bytes / used, "MB/s");
    }
    return 0;
}
