package io.teff.cluster.admin;

/**
 * The figures of a node. The ordinal of a figure is the place of the figure on the wire, so new figures are added at
 * the end. A figure that a node does not have is {@link NodeFigures#ABSENT}.
 */
public enum Figure {
    /** Processor time of the process. */
    PROCESS_CPU("process.cpu", Unit.NANOSECONDS, Kind.COUNTER, "processor time of the process"),
    /** Time since the start of the node. */
    PROCESS_UPTIME("process.uptime", Unit.MILLISECONDS, Kind.GAUGE_MAX, "time since the start of the node"),
    /** Memory of the process in the machine. */
    PROCESS_MEMORY("process.memory", Unit.BYTES, Kind.GAUGE, "resident memory of the process"),
    /** Open descriptors. */
    PROCESS_FILES_OPEN("process.files.open", Unit.FILES, Kind.GAUGE, "open descriptors of the process"),
    /** Most descriptors. */
    PROCESS_FILES_MAX("process.files.max", Unit.FILES, Kind.GAUGE, "most descriptors of the process"),
    /** Bytes read from disks. */
    PROCESS_DISK_READ("process.disk.read", Unit.BYTES, Kind.COUNTER, "bytes read from disks by the process"),
    /** Bytes written to disks. */
    PROCESS_DISK_WRITTEN("process.disk.written", Unit.BYTES, Kind.COUNTER, "bytes written to disks by the process"),
    /** Used bytes of the Java heap. */
    JVM_HEAP_USED("jvm.heap.used", Unit.BYTES, Kind.GAUGE, "used bytes of the Java heap"),
    /** Most bytes of the Java heap. */
    JVM_HEAP_MAX("jvm.heap.max", Unit.BYTES, Kind.GAUGE, "most bytes of the Java heap"),
    /** Threads of the JVM. */
    JVM_THREADS("jvm.threads", Unit.THREADS, Kind.GAUGE, "threads of the JVM"),
    /** Collections of garbage. */
    JVM_GC_COUNT("jvm.gc", Unit.COLLECTIONS, Kind.COUNTER, "collections of garbage"),
    /** Time of collections. */
    JVM_GC_TIME("jvm.gc.time", Unit.MILLISECONDS, Kind.COUNTER, "time of collections of garbage"),
    /** Processors of the machine. */
    MACHINE_PROCESSORS("machine.processors", Unit.PROCESSORS, Kind.GAUGE, "processors that the process may use"),
    /** Load of all processors. */
    MACHINE_LOAD("machine.load", Unit.THOUSANDTHS, Kind.GAUGE_MAX, "busy part of all processors of the machine"),
    /** Memory of the machine. */
    MACHINE_MEMORY("machine.memory", Unit.BYTES, Kind.GAUGE, "memory of the machine, or of the container"),
    /** Memory that processes can still take. */
    MACHINE_MEMORY_FREE("machine.memory.free", Unit.BYTES, Kind.GAUGE, "memory of the machine that can be taken"),
    /** Size of the disk of the folder. */
    DISK_SIZE("disk.size", Unit.BYTES, Kind.GAUGE, "size of the disk with the node's folder"),
    /** Free room on the disk. */
    DISK_FREE("disk.free", Unit.BYTES, Kind.GAUGE, "free room on the disk with the node's folder"),
    /** Bytes of the node's log. */
    LOG_SIZE("log.size", Unit.BYTES, Kind.GAUGE, "bytes of the node's log on the disk"),
    /** Memory limit of the store. */
    STORE_MAX("store.max", Unit.BYTES, Kind.GAUGE, "memory limit of the store"),
    /** Memory that the store holds. */
    STORE_COMMITTED("store.committed", Unit.BYTES, Kind.GAUGE, "memory of the machine that the store holds"),
    /** Memory in use by chunks and tables. */
    STORE_USED("store.used", Unit.BYTES, Kind.GAUGE, "memory of the store in use"),
    /** Bytes of the chunks. */
    STORE_PAYLOAD("store.payload", Unit.BYTES, Kind.GAUGE, "bytes of the chunks"),
    /** Number of chunks. */
    STORE_CHUNKS("store.chunks", Unit.CHUNKS, Kind.GAUGE, "chunks in the store"),
    /** Zones owned by the node. */
    ZONES_OWNED("zones.owned", Unit.ZONES, Kind.GAUGE, "zones that the node serves"),
    /** Copies of zones of other nodes. */
    ZONES_COPIED("zones.copied", Unit.ZONES, Kind.GAUGE, "copies that the node keeps for other nodes"),
    /** Size of the ring. */
    RING_SIZE("ring.size", Unit.BYTES, Kind.GAUGE, "size of the ring of changes"),
    /** Claimed bytes of the ring. */
    RING_USED("ring.used", Unit.BYTES, Kind.GAUGE, "bytes of changes in the ring"),
    /** Threads that have waited for room in the ring. */
    RING_WAITS("ring.waits", Unit.TIMES, Kind.COUNTER, "waits of changes for room in the ring"),
    /** Refused changes. */
    CHANGES_REFUSED("changes.refused", Unit.CHANGES, Kind.COUNTER, "changes refused for lack of room"),
    /** Changes without all acknowledgements. */
    CHANGES_BEHIND("changes.behind", Unit.CHANGES, Kind.GAUGE, "changes that not all backups have acknowledged"),
    /** Answers that wait for acknowledgements. */
    ANSWERS_WAITING("answers.waiting", Unit.ANSWERS, Kind.GAUGE, "answers that wait for acknowledgements"),
    /** Changes sent to backups. */
    CHANGES_SHIPPED("changes.shipped", Unit.BYTES, Kind.COUNTER, "bytes of changes sent to backups"),
    /** Changes logged for other peers. */
    CHANGES_LOGGED("changes.logged", Unit.BYTES, Kind.COUNTER, "bytes of changes logged for other nodes"),
    /** Sent messages. */
    MESSAGES_SENT("messages.sent", Unit.MESSAGES, Kind.COUNTER, "messages and requests sent"),
    /** Handled messages. */
    MESSAGES_HANDLED("messages.handled", Unit.MESSAGES, Kind.COUNTER, "messages and requests handled"),
    /** Bytes to other processes. */
    NETWORK_SENT("network.sent", Unit.BYTES, Kind.COUNTER, "bytes sent to other processes"),
    /** Bytes from other processes. */
    NETWORK_RECEIVED("network.received", Unit.BYTES, Kind.COUNTER, "bytes received from other processes"),
    /** Links that carry a session. */
    LINKS_OPEN("links.open", Unit.LINKS, Kind.GAUGE, "links with other processes"),
    /** Lost links. */
    LINKS_LOST("links.lost", Unit.LINKS, Kind.COUNTER, "links that have ended unasked"),
    /** Refused links. */
    LINKS_REFUSED("links.refused", Unit.LINKS, Kind.COUNTER, "links that were refused"),
    /** Waits for room in send buffers. */
    SENDS_WAITED("sends.waited", Unit.TIMES, Kind.COUNTER, "sends that have waited for room"),
    /** Operations of clients. */
    OPERATIONS("operations", Unit.OPERATIONS, Kind.COUNTER, "operations of clients, within 64 per thread"),
    /** Timed operations. */
    OPERATIONS_TIMED("operations.timed", Unit.OPERATIONS, Kind.COUNTER, "timed operations: one of 64"),
    /** Time of the timed operations. */
    OPERATIONS_TIME("operations.time", Unit.NANOSECONDS, Kind.COUNTER, "time of timed operations until the answer"),
    /** Timed operations within 100 us. */
    OPERATIONS_100US("operations.100us", Unit.OPERATIONS, Kind.COUNTER, "timed operations within 100 us"),
    /** Timed operations within 1 ms. */
    OPERATIONS_1MS("operations.1ms", Unit.OPERATIONS, Kind.COUNTER, "timed operations within 1 ms"),
    /** Timed operations within 10 ms. */
    OPERATIONS_10MS("operations.10ms", Unit.OPERATIONS, Kind.COUNTER, "timed operations within 10 ms"),
    /** Timed operations within 100 ms. */
    OPERATIONS_100MS("operations.100ms", Unit.OPERATIONS, Kind.COUNTER, "timed operations within 100 ms"),
    /** Timed operations within 1 s. */
    OPERATIONS_1S("operations.1s", Unit.OPERATIONS, Kind.COUNTER, "timed operations within 1 s"),
    /** Open sessions of clients. */
    CLIENTS("clients", Unit.SESSIONS, Kind.GAUGE_MAX, "open sessions of clients, as the superpeers know"),
    /** Version of the tables. */
    TABLE_VERSION("table.version", Unit.NONE, Kind.GAUGE_MAX, "version of the node's tables"),
    /** Whether the superpeer leads. */
    LEADING("leading", Unit.NONE, Kind.GAUGE, "1 at the leading superpeer, else 0"),
    /** Rest of the lease. */
    LEASE_LEFT("lease.left", Unit.MILLISECONDS, Kind.GAUGE_MIN, "rest of the peer's lease; 0 without a lease"),
    /** Term of leases. */
    LEASE_TERM("lease.term", Unit.MILLISECONDS, Kind.GAUGE_MAX, "term of leases"),
    /** Rest of the life of the first certificate. */
    CERTIFICATE_LEFT("certificate.left", Unit.SECONDS, Kind.GAUGE_MIN, "time until the first certificate ends");

    /** How figures of nodes and of moments belong together. */
    public enum Kind {
        /** Grows from the start of the process, or of a peer's life; the sum of nodes is the figure of a cluster. */
        COUNTER,
        /** A value of a moment; the sum of nodes is the figure of a cluster. */
        GAUGE,
        /** A value of a moment; the largest value of nodes is the figure of a cluster. */
        GAUGE_MAX,
        /** A value of a moment; the smallest value of nodes is the figure of a cluster. */
        GAUGE_MIN
    }

    /** The unit of a figure. */
    public enum Unit {
        /** Bytes. */
        BYTES("bytes"),
        /** Nanoseconds. */
        NANOSECONDS("ns"),
        /** Milliseconds. */
        MILLISECONDS("ms"),
        /** Seconds. */
        SECONDS("s"),
        /** Thousandths. */
        THOUSANDTHS("thousandths"),
        /** Descriptors. */
        FILES("files"),
        /** Threads. */
        THREADS("threads"),
        /** Collections of garbage. */
        COLLECTIONS("collections"),
        /** Processors. */
        PROCESSORS("processors"),
        /** Chunks. */
        CHUNKS("chunks"),
        /** Zones, or copies of zones. */
        ZONES("zones"),
        /** Events. */
        TIMES("times"),
        /** Changes. */
        CHANGES("changes"),
        /** Answers. */
        ANSWERS("answers"),
        /** Messages. */
        MESSAGES("messages"),
        /** Links. */
        LINKS("links"),
        /** Operations. */
        OPERATIONS("operations"),
        /** Sessions. */
        SESSIONS("sessions"),
        /** No unit. */
        NONE("");

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        /** {@return the name of the unit; empty for none} */
        public String text() {
            return text;
        }
    }

    private final String text;
    private final Unit unit;
    private final Kind kind;
    private final String description;

    Figure(String text, Unit unit, Kind kind, String description) {
        this.text = text;
        this.unit = unit;
        this.kind = kind;
        this.description = description;
    }

    /** {@return the name for programs, in small letters with dots, such as {@code process.cpu}} */
    public String text() {
        return text;
    }

    /** {@return the unit} */
    public Unit unit() {
        return unit;
    }

    /** {@return how values belong together} */
    public Kind kind() {
        return kind;
    }

    /** {@return what the figure is, for people} */
    public String description() {
        return description;
    }

    /**
     * {@return the value for two nodes together}
     *
     * @param one value of one node, or {@link NodeFigures#ABSENT}
     * @param other value of the other node, or {@link NodeFigures#ABSENT}
     */
    public long together(long one, long other) {
        if (one == NodeFigures.ABSENT || other == NodeFigures.ABSENT) {
            return one == NodeFigures.ABSENT ? other : one;
        }
        return switch (kind) {
            case COUNTER, GAUGE -> one + other;
            case GAUGE_MAX -> Math.max(one, other);
            case GAUGE_MIN -> Math.min(one, other);
        };
    }
}
