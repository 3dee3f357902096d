package io.teff.cluster.access;

import io.teff.cluster.config.Secret;
import io.teff.cluster.config.SecretFiles;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.net.config.AcceptedKeys;
import io.teff.cluster.net.config.CertificateName;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what at a node. Each node reads the secret and the roles from files of its own, and looks at the files
 * again at most every ten seconds; a file that cannot be read changes nothing. Without a file of roles each process
 * with the secret may do everything. Thread-safe.
 *
 * <p><b>Proof.</b> A principal proves its token in the greeting, as a node proves the secret: the token is the key of
 * the proof and is never sent. Or the principal proves the secret, and the certificate of its link has the name of the
 * principal. The rights belong to the session, so no message can claim another principal. A process with the secret,
 * and without such a certificate, is a node.
 *
 * <p><b>Forwarding.</b> A node that forwards work, as for a step of a compute group, has checked the rights for the
 * whole work, and forwards the work as its own. So no node speaks for a principal.
 */
public final class AccessControl implements AcceptedKeys {
    private static final long LOOK_NS = SecretFiles.LOOK_NS;

    private final SecretFiles secret;
    private final @Nullable Path roles;
    private final IntFunction<Right> door;
    private final Clock clock;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile RoleTable table;
    private volatile long lookedNs;
    private volatile @Nullable String fault;
    private volatile NodeLog log = NodeLog.NONE;

    /** The use of a principal at this node. */
    record Meters(Meter requests, Meter bytes) {}

    private AccessControl(SecretFiles secret, @Nullable Path roles, RoleTable table, IntFunction<Right> door,
                          Clock clock) {
        this.secret = secret;
        this.roles = roles;
        this.table = table;
        this.door = door;
        this.clock = clock;
        lookedNs = clock.nowNs();
    }

    /**
     * Reads the roles of a node.
     *
     * @param secret secret of the cluster; its clock measures rates, and the time between looks
     * @param roles file with the roles
     * @param door the right that each type of messages needs
     * @return the access to the node
     * @throws IOException if the file cannot be read, or breaks a rule; the reason of a {@link
     *     java.nio.file.FileSystemException} names the fault
     */
    public static AccessControl read(SecretFiles secret, Path roles, IntFunction<Right> door) throws IOException {
        return new AccessControl(secret, roles, RolesFile.read(roles, secret, secret.clock()), door, secret.clock());
    }

    /**
     * Returns an access without roles: each process with the secret may do everything.
     *
     * @param secret secret of the cluster
     * @return the access to the node
     */
    public static AccessControl open(SecretFiles secret) {
        return new AccessControl(secret, null, RoleTable.NONE, _ -> Right.NODE, () -> 0);
    }

    /**
     * Sets the log for refusals and for acts of operators.
     *
     * @param nodeLog log of the node
     */
    public void logTo(NodeLog nodeLog) {
        log = nodeLog;
    }

    /** {@return the secret for dialing} */
    public byte[] secret() {
        return secret.used().bytes();
    }

    @Override
    public List<Key> keys(@Nullable X509Certificate certificate) {
        final RoleTable now = table();
        final List<Key> keys = new ArrayList<>();
        final SessionCaller named = certificate == null ? null : named(now, certificate);
        for (Secret each : secret.accepted()) {
            keys.add(new Key(each.bytes(), named));
        }
        for (Principal principal : now.principals().values()) {
            final SecretFiles token = principal.token();
            final CertificateName name = principal.certificate();
            final boolean isFit = name == null || certificate != null && name.isIn(certificate);
            if (token != null && isFit) {
                for (Secret each : token.accepted()) {
                    keys.add(new Key(each.bytes(), new SessionCaller(this, principal, each)));
                }
            }
        }
        return keys;
    }

    /** Returns the principal of a certificate, if the certificate alone names a principal. */
    private @Nullable SessionCaller named(RoleTable now, X509Certificate certificate) {
        for (Principal principal : now.principals().values()) {
            final CertificateName name = principal.certificate();
            if (principal.token() == null && name != null && name.isIn(certificate)) {
                return new SessionCaller(this, principal, Secret.NONE);
            }
        }
        return null;
    }

    // ---- the files ----

    /** Returns the principals, after a look at the file if the last look is long ago. */
    RoleTable table() {
        final Path file = roles;
        if (file != null && clock.nowNs() - lookedNs >= LOOK_NS && lock.tryLock()) {
            try {
                lookedNs = clock.nowNs();
                look(file);
            } finally {
                lock.unlock();
            }
        }
        return table;
    }

    private void look(Path file) {
        try {
            final RoleTable read = RolesFile.read(file, secret, clock);
            if (!read.digest().equals(table.digest())) {
                table = read;
                log.log(NodeEvent.ACCESS_CHANGED, "the roles " + read.digest() + " are in use, with "
                    + read.principals().size() + " principals");
            }
            fault = null;
        } catch (IOException e) {
            final String text = "the present roles stay in use, because the file cannot be used: "
                + FailureText.of(e);
            fault = text;
            log.log(NodeEvent.ACCESS_CHANGED, text);
        }
    }

    /** {@return whether the node has roles} */
    public boolean hasRoles() {
        return roles != null;
    }

    /**
     * Returns the principal that may operate the cluster by a token, as at a console.
     *
     * @param token any bytes
     * @return the name; null if no such principal has the token, or the principal needs a certificate as well
     */
    public @Nullable String operator(byte[] token) {
        for (Principal principal : table().principals().values()) {
            final SecretFiles its = principal.token();
            if (its != null && principal.certificate() == null && principal.has(Right.OPERATE)
                && its.accepted().stream().anyMatch(secret -> MessageDigest.isEqual(secret.bytes(), token))) {
                return principal.name();
            }
        }
        return null;
    }

    /** {@return the state of roles and secret at this node, in one line for people} */
    public String text() {
        final RoleTable now = table();
        final int step = secret.step();
        return (roles == null ? "no roles: each process with the secret is an admin"
            : now.principals().size() + " principals, roles " + now.digest())
            + (step == 0 ? "" : "; the secret is being replaced, step " + step + " of 2: "
                + (step == 1 ? "the new secret is accepted, the old secret is used"
                    : "the new secret is used, the old secret is accepted"));
    }

    /** {@return why files are not used as they are; empty if all files are used} */
    public List<String> problems() {
        final List<String> problems = new ArrayList<>();
        var _ = table();
        final String ofRoles = fault;
        final String ofSecret = secret.fault();
        if (ofRoles != null) {
            problems.add(ofRoles);
        }
        if (ofSecret != null) {
            problems.add(ofSecret);
        }
        return problems;
    }

    // ---- for callers ----

    Clock clock() {
        return clock;
    }

    NodeLog log() {
        return log;
    }

    Right right(int type) {
        return door.apply(type);
    }

    Meters meters(String principal) {
        final Meters known = meters.get(principal);
        return known != null ? known : meters.computeIfAbsent(principal, _ -> new Meters(new Meter(clock.nowNs()),
            new Meter(clock.nowNs())));
    }
}
