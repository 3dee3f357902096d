package io.teff.cluster.access;

import io.teff.cluster.cell.ClientNid;
import io.teff.cluster.config.Secret;
import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.message.DeniedException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A principal at the other end of a session. The rights are those of the present file of roles: a principal that has
 * left the file may do nothing in a session from before. A link ends when its token is no longer accepted, and the
 * session goes on if the principal proves the present token on the next link. Thread-safe.
 */
public final class SessionCaller extends Caller {
    /** A session writes one line to the log in this time for each right that it lacks. */
    private static final long LINE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final Right[] RIGHTS = Right.values();

    private final AccessControl access;
    private final String name;
    private final @Nullable CertificateName certificate;
    private final Secret proven;
    /** When a refusal was written to the log, by right; 0 for never. */
    private final AtomicLongArray loggedNs = new AtomicLongArray(RIGHTS.length);
    private volatile @Nullable Checked checked;

    /**
     * The principal as the files had it at a time.
     *
     * @param principal null if the files lack the principal
     * @param isProven whether the proof of the link is a proof of the principal
     */
    private record Checked(String digest, long ns, @Nullable Principal principal, boolean isProven) {}

    /**
     * Makes the caller of a session.
     *
     * @param principal as the file had the principal when the session began
     * @param proven the token that the caller has proven; none for a principal that has no token
     */
    SessionCaller(AccessControl access, Principal principal, Secret proven) {
        this.access = access;
        this.name = principal.name();
        this.certificate = principal.certificate();
        this.proven = proven;
    }

    /** {@return the name of the principal} */
    public String name() {
        return name;
    }

    /** {@return the principal whose message the calling thread handles; null for a node of the cluster} */
    public static @Nullable SessionCaller now() {
        return (SessionCaller) Caller.current();
    }

    /**
     * Checks that the sender of the handled message has a right.
     *
     * @param right needed
     * @param what behind the text of the right, such as the name of a command; may be empty
     * @throws DeniedException if the sender lacks the right
     */
    public static void require(Right right, String what) {
        final SessionCaller caller = now();
        if (caller != null) {
            caller.check(right, what);
        }
    }

    /**
     * Checks that the sender of the handled message may use a service.
     *
     * @param right read or write
     * @param service name of the service
     * @param isPrefix whether all services with this prefix are meant
     * @throws DeniedException if the sender may not
     */
    public static void requireService(Right right, String service, boolean isPrefix) {
        final SessionCaller caller = now();
        if (caller != null) {
            final Principal its = caller.check(right, "");
            if (!(isPrefix ? its.services().hasAllOf(service) : its.services().has(service))) {
                throw caller.denied(right, right.text() + " the " + (isPrefix ? "services " + service + "*"
                    : "service " + service), right.roles() + ", with this name in services,");
            }
        }
    }

    // ---- as the network sees it ----

    @Override
    public boolean mayHave(int nid) {
        return ClientNid.isDrawn(nid);
    }

    @Override
    public boolean isSame(Caller other) {
        return other instanceof SessionCaller its && its.name.equals(name);
    }

    @Override
    public boolean mustProveAgain() {
        final Checked now = look();
        return now.principal != null && !now.isProven;
    }

    @Override
    public boolean mayUse(int type) {
        final Principal its = principal();
        return its != null && its.has(access.right(type));
    }

    @Override
    public @Nullable DeniedException admit(int type, int bytes, int open) {
        final Principal its = principal();
        final Right right = access.right(type);
        if (its == null || !its.has(right)) {
            return denied(right, right.text() + (right == Right.NODE ? " (type " + type + ")" : ""), right.roles());
        }
        final long nowNs = access.clock().nowNs();
        if (its.openRequests() > 0 && open >= its.openRequests()) {
            return limited(its.openRequests() + " open requests of a connection");
        }
        if (its.requestsPerSecond() > 0
            && !access.meters(name).requests().take(1, its.requestsPerSecond(), nowNs)) {
            return limited(its.requestsPerSecond() + " requests a second at a node");
        }
        if (its.bytesPerSecond() > 0 && !access.meters(name).bytes().take(bytes, its.bytesPerSecond(), nowNs)) {
            return limited(its.bytesPerSecond() + " bytes a second at a node");
        }
        return null;
    }

    // ---- checks ----

    /** Returns the principal of the present files; null if the files lack the principal. */
    private @Nullable Principal principal() {
        return look().principal;
    }

    private Checked look() {
        final RoleTable table = access.table();
        final long nowNs = access.clock().nowNs();
        Checked now = checked;
        if (now == null || !now.digest.equals(table.digest()) || nowNs - now.ns >= SecretFiles.LOOK_NS) {
            final Principal found = table.principals().get(name);
            now = new Checked(table.digest(), nowNs, found, found != null && isProven(found));
            checked = now;
        }
        return now;
    }

    private boolean isProven(Principal found) {
        final SecretFiles token = found.token();
        if (!Objects.equals(found.certificate(), certificate)) {
            return false;
        }
        return token == null ? proven.isNone() : token.accepted().stream()
            .anyMatch(secret -> MessageDigest.isEqual(secret.bytes(), proven.bytes()));
    }

    private Principal check(Right right, String what) {
        final Principal its = principal();
        if (its == null || !its.has(right)) {
            throw denied(right, right.text() + (what.isEmpty() ? "" : ": " + what), right.roles());
        }
        if (right == Right.OPERATE || right == Right.ADMINISTER) {
            AccessEvent.emit(name, right.text() + ": " + what, true);
            access.log().log(NodeEvent.ACCESS_USED, "the principal " + name + " uses the right to " + right.text()
                + ": " + what);
        }
        return its;
    }

    /** {@return whether the principal may use all collections, and chunks} */
    public boolean hasChunks() {
        final Principal its = principal();
        return its != null && its.hasChunks();
    }

    /** {@return whether the principal may use all collections} */
    public boolean hasAllCollections() {
        final Principal its = principal();
        return its != null && its.collections().isAll();
    }

    /**
     * Checks that the principal may use a collection.
     *
     * @param right read or write
     * @param collection name of the collection; null for something that is no collection
     * @throws DeniedException if the principal may not
     */
    public void requireCollection(Right right, @Nullable String collection) {
        final Principal its = check(right, "");
        if (collection == null ? !its.hasChunks() : !its.collections().has(collection)) {
            throw denied(right, right.text() + (collection == null ? " chunks by their CIDs"
                : " the collection " + collection), right.roles() + (collection == null ? ", with chunks = true,"
                : ", with this name in collections,"));
        }
    }

    private DeniedException denied(Right right, String text, String roles) {
        AccessEvent.emit(name, text, false);
        final long nowNs = access.clock().nowNs();
        final long last = loggedNs.get(right.ordinal());
        if ((last == 0 || nowNs - last >= LINE_NS) && loggedNs.compareAndSet(right.ordinal(), last, nowNs | 1)) {
            access.log().log(NodeEvent.ACCESS_DENIED, "the principal " + name + " was refused: may not " + text);
        }
        return new DeniedException(name, text, roles);
    }

    private DeniedException limited(String limit) {
        AccessEvent.emit(name, limit, false);
        final long nowNs = access.clock().nowNs();
        final long last = loggedNs.get(0);
        if ((last == 0 || nowNs - last >= LINE_NS) && loggedNs.compareAndSet(0, last, nowNs | 1)) {
            access.log().log(NodeEvent.ACCESS_DENIED, "the principal " + name + " is over its limit of " + limit);
        }
        return new DeniedException(name, limit, "");
    }

    /** {@return name and roles, for people} */
    @Override
    public String toString() {
        final Principal its = principal();
        return name + (its == null ? ", without rights" : ", " + Arrays.stream(Role.values())
            .filter(its.roles()::contains).map(role -> role.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ")));
    }
}
