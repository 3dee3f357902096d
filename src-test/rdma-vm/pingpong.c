/* The loop of PingPong.java in C: two reliable queue pairs of one device, driven by one thread.
 *     cc -O2 -o pingpong pingpong.c -libverbs && ./pingpong DEVICE ITERATIONS BYTES GID_INDEX
 * Prints medians in microseconds: half a round trip of sends, and whole reads, writes and fetch-and-adds. */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(x) do { if (!(x)) { perror(#x); exit(1); } } while (0)
#define MEMORY (1 << 20)
#define RIGHTS (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)
#define POLLS 1000000

struct end {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_mr *mr;
    char *memory;
};

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

static struct end make(struct ibv_context *context, struct ibv_pd *pd)
{
    struct end e;
    CHECK(e.cq = ibv_create_cq(context, 256, NULL, NULL, 0));
    struct ibv_qp_init_attr a = { .send_cq = e.cq, .recv_cq = e.cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 128, .max_recv_wr = 128, .max_send_sge = 1, .max_recv_sge = 1 } };
    CHECK(e.qp = ibv_create_qp(pd, &a));
    CHECK(!posix_memalign((void **)&e.memory, 4096, MEMORY));
    memset(e.memory, 0, MEMORY);
    CHECK(e.mr = ibv_reg_mr(pd, e.memory, MEMORY, IBV_ACCESS_LOCAL_WRITE | RIGHTS));
    return e;
}

static void connect_to(struct end *e, uint32_t number, union ibv_gid *gid, int index, enum ibv_mtu mtu)
{
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = RIGHTS };
    CHECK(!ibv_modify_qp(e->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = mtu, .dest_qp_num = number, .rq_psn = 1234,
        .max_dest_rd_atomic = 16, .min_rnr_timer = 12, .ah_attr = { .is_global = 1, .port_num = 1,
        .grh = { .dgid = *gid, .sgid_index = index, .hop_limit = 64 } } };
    CHECK(!ibv_modify_qp(e->qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN
        | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
        .sq_psn = 1234, .max_rd_atomic = 16 };
    CHECK(!ibv_modify_qp(e->qp, &rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
        | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
}

static void post_receive(struct end *e, int bytes)
{
    struct ibv_sge g = { (uintptr_t)e->memory, bytes, e->mr->lkey };
    struct ibv_recv_wr w = { .sg_list = &g, .num_sge = 1 }, *bad;
    CHECK(!ibv_post_recv(e->qp, &w, &bad));
}

static void post(struct end *e, struct end *to, int operation, int bytes)
{
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
}

/* Polls until so many completions have come. */
static void await(struct end *e, int count)
{
    struct ibv_wc w;
    while (count > 0) {
        int n = ibv_poll_cq(e->cq, 1, &w);
        CHECK(n >= 0 && (n == 0 || w.status == IBV_WC_SUCCESS));
        count -= n;
    }
}

static void print(const char *what, long *ns, int n, double parts)
{
    qsort(ns, n, sizeof *ns, compare);
    printf("C    %-24s median %8.2f us\n", what, ns[n / 2] / 1e3 / parts);
}

static void whole(struct end *a, struct end *b, int operation, const char *what, int bytes, long *ns, int n)
{
    for (int i = 0; i < n; i++) {
        long start = now();
        post(a, b, operation, bytes);
        await(a, 1);
        ns[i] = now() - start;
    }
    print(what, ns, n, 1);
}

int main(int argc, char **argv)
{
    CHECK(argc == 5);
    int n = atoi(argv[2]), bytes = atoi(argv[3]), index = atoi(argv[4]), devices;
    struct ibv_device **list = ibv_get_device_list(&devices);
    struct ibv_context *context = NULL;
    for (int i = 0; i < devices; i++)
        if (!strcmp(argv[1], ibv_get_device_name(list[i])))
            context = ibv_open_device(list[i]);
    CHECK(context);
    struct ibv_port_attr port;
    union ibv_gid gid;
    CHECK(!ibv_query_port(context, 1, &port));
    CHECK(!ibv_query_gid(context, 1, index, &gid));
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct end a = make(context, pd), b = make(context, pd);
    connect_to(&a, b.qp->qp_num, &gid, index, port.active_mtu);
    connect_to(&b, a.qp->qp_num, &gid, index, port.active_mtu);
    long *ns = calloc(n, sizeof *ns);
    struct ibv_wc w;
    long start = now();
    for (int i = 0; i < POLLS; i++)
        ibv_poll_cq(a.cq, 1, &w);
    printf("C    %-24s mean   %8.2f ns\n", "poll of an empty queue", (now() - start) / (double)POLLS);
    for (int i = 0; i < n; i++) {
        post_receive(&a, bytes);
        post_receive(&b, bytes);
        start = now();
        post(&a, &b, IBV_WR_SEND, bytes);
        await(&b, 1);
        post(&b, &a, IBV_WR_SEND, bytes);
        await(&a, 2);
        ns[i] = now() - start;
        await(&b, 1);
    }
    print("send, half a round trip", ns, n, 2);
    whole(&a, &b, IBV_WR_RDMA_WRITE, "write", bytes, ns, n);
    whole(&a, &b, IBV_WR_RDMA_READ, "read", bytes, ns, n);
    whole(&a, &b, IBV_WR_ATOMIC_FETCH_AND_ADD, "fetch-and-add", 8, ns, n);
    return 0;
}
