package io.teff.cluster.control;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.archive.ArchiveAnswer;
import io.teff.cluster.archive.ArchiveMessages;
import io.teff.cluster.archive.ArchiveRequest;
import io.teff.cluster.archive.ZoneLink;
import io.teff.cluster.archive.ZoneRefusedException;
import io.teff.cluster.cell.Denials;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reaches the owners of zones over a connection. For one thread. */
final class LinkedZones implements ZoneLink {
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(30);
    /** A zone may have no owner for this time. */
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int ZONES_PER_REQUEST_MAX = 64;

    private final CellLink link;
    private final Clock clock;
    /** Owners of the sessions under way, by zone. */
    private final Map<Integer, NodeRef> owners = new HashMap<>();

    LinkedZones(CellLink link, Clock clock) {
        this.link = link;
        this.clock = clock;
    }

    private void refresh() throws IOException {
        if (!link.refreshAtLeader(Deadline.in(clock, PATIENCE_NS))) {
            throw new IOException("no superpeer answers: " + link.problem());
        }
    }

    @Override
    public ClusterId cluster() throws IOException {
        refresh();
        return link.cluster();
    }

    @Override
    public List<ZoneRow> zones() throws IOException {
        refresh();
        return link.tables().zones();
    }

    @Override
    public void pause() {
        clock.pause(this, AGAIN_NS);
    }

    @Override
    public ArchiveAnswer call(ArchiveRequest request) throws IOException {
        final Deadline limit = Deadline.in(clock, PATIENCE_NS);
        final boolean isFirst = request.session() == 0;
        String problem = "it has no owner";
        while (true) {
            final NodeRef owner = isFirst ? owner(request.zone()) : owners.get(request.zone());
            final ArchiveAnswer answer = owner == null ? null : ask(owner.nid(), request);
            if (answer != null && answer.code() == ArchiveAnswer.REFUSED) {
                throw new ZoneRefusedException(new String(answer.content(), StandardCharsets.UTF_8));
            }
            if (answer != null && answer.code() != ArchiveAnswer.BUSY && (!isFirst
                || answer.code() == ArchiveAnswer.DONE)) {
                if (isFirst) {
                    owners.put(request.zone(), owner);
                }
                return answer;
            }
            if (!isFirst && answer == null) {
                return new ArchiveAnswer(ArchiveAnswer.LOST, 0, 0, new byte[0]);
            }
            problem = owner == null ? problem : answer == null ? "node " + owner.nid() + " does not answer: "
                + link.problem() : "node " + owner.nid() + " is busy, or does not own the zone any more";
            if (limit.isOver()) {
                throw new IOException("zone " + request.zone() + " is not served: " + problem + state(request.zone()));
            }
            clock.pause(this, PAUSE_NS);
        }
    }

    private String state(int zone) {
        final ZoneRow row = link.tables().zone(zone);
        return row == null ? "" : " (the zone is " + row.state() + ')';
    }

    private @Nullable NodeRef owner(int zone) throws IOException {
        refresh();
        final ZoneRow row = link.tables().zone(zone);
        return row == null || !row.state().isServed() ? null : row.owner();
    }

    private @Nullable ArchiveAnswer ask(int nid, ArchiveRequest request) {
        try {
            return link.request(nid, ArchiveMessages.ARCHIVE, request, ANSWER_NS).join();
        } catch (CompletionException e) {
            MissingRightException denied = Denials.in(e);
            if (denied != null) {
                throw denied;
            }
            link.failed(FailureText.of(e.getCause() == null ? e : e.getCause()));
            return null;
        }
    }

    // ---- zones of a new cluster ----

    @Override
    public int newZone() throws IOException {
        final List<ZoneRow> rows = zones();
        final int zone = rows.isEmpty() ? 1 : rows.getLast().zone() + 1;
        createZones(zone);
        return zone;
    }

    /** Asks for new zones until there is a zone of a number; the zones are dealt out to the living peers. */
    void createZones(int last) throws IOException {
        final Deadline limit = Deadline.in(clock, PATIENCE_NS);
        while (true) {
            final List<ZoneRow> rows = zones();
            final int present = rows.isEmpty() ? 0 : rows.getLast().zone();
            if (present >= last) {
                return;
            }
            final NodeRow peer = poorest(rows);
            final int count = Math.clamp((last - present) / Math.max(peers(), 1), 1, ZONES_PER_REQUEST_MAX);
            final CommandReply reply = peer == null ? null : link.send(new Command.NewZones(peer.reference(),
                peer.request() + 1, count), limit.leftNs());
            if (!(reply instanceof CommandReply.Zones)) {
                if (limit.isOver()) {
                    throw new IOException("the cluster gives no zone " + last + ": " + (peer == null
                        ? "no peer runs" : reply == null ? "no superpeer leads" : reply.toString()));
                }
                clock.pause(this, AGAIN_NS);
            }
        }
    }

    private long peers() {
        return link.tables().nodes().stream().filter(LinkedZones::isOwner).count();
    }

    private static boolean isOwner(NodeRow row) {
        return row.isAlive() && row.roles().ownsZones();
    }

    private @Nullable NodeRow poorest(List<ZoneRow> rows) {
        return link.tables().nodes().stream().filter(LinkedZones::isOwner).min(Comparator.<NodeRow>comparingLong(peer ->
            rows.stream().filter(row -> row.isOwnedBy(peer.reference())).count()).thenComparing(NodeRow::nid))
            .orElse(null);
    }
}
