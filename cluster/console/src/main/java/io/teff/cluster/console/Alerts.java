package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.RackSpread;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.console.Alert.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds what a person should know about a cluster. Used once. */
final class Alerts {
    private static final long HUNDRED = 100;
    private static final long DISK_LOW_PERCENT = 10;
    private static final long DISK_URGENT_PERCENT = 3;
    private static final long STORE_FULL_PERCENT = 90;
    private static final long STORE_URGENT_PERCENT = 97;
    private static final long MACHINE_LOW_PERCENT = 5;
    private static final long HEAP_FULL_PERCENT = 95;
    private static final long CLOCK_MS = 1_000;
    private static final long DAY_S = 86_400;
    private static final long CERTIFICATE_DAYS = 30;

    private final ClusterLook look;
    private final ClusterStatus status;
    private final ClusterFigures figures;
    private final List<Alert> alerts = new ArrayList<>();

    private Alerts(ClusterLook look) {
        this.look = look;
        status = look.status();
        figures = look.figures();
    }

    /** Returns all alerts, the urgent alerts first. */
    static List<Alert> of(ClusterLook look) {
        Alerts found = new Alerts(look);
        found.find();
        found.alerts.sort(Comparator.comparing((Alert alert) -> !alert.isUrgent()));
        return List.copyOf(found.alerts);
    }

    private void find() {
        String problem = status.problem();
        if (problem != null) {
            add(Kind.SILENT, true, 0, 0, "no superpeer answers: " + problem);
            return;
        }
        int backups = status.zones().stream().mapToInt(zone -> zone.backups().size()).max().orElse(0);
        status.zones().forEach(zone -> zone(zone, backups));
        places();
        for (Member node : status.nodes()) {
            if (node.isAlive()) {
                node(node);
            } else if (node.role() == NodeRole.PEER) {
                add(Kind.NODE, false, node.life().nid(), 0, look.name(node) + " has ended: start the node, or give the "
                    + "peer up by ./teff cluster forget");
            }
        }
    }

    private void add(Kind kind, boolean isUrgent, int nid, int zone, String text) {
        alerts.add(new Alert(kind, isUrgent, nid, zone, text));
    }

    // ---- zones ----

    private void zone(ZoneStatus zone, int backupsUsual) {
        int number = zone.zone();
        String obstacle = zone.obstacle();
        String why = obstacle == null ? "" : ": " + obstacle;
        if (zone.state() == ZoneStatus.State.LOST) {
            add(Kind.LOST, true, 0, number, "zone " + number + " is lost" + why);
        } else if (zone.isWaiting()) {
            add(Kind.WAITING, true, 0, number, "zone " + number
                + (zone.state().isServed() ? " waits with its changes" : " waits") + " for copies" + why);
        } else if (!zone.state().isServed()) {
            add(Kind.MOVING, obstacle != null, 0, number, "zone " + number + " gets a new owner" + why);
        } else if (zone.backups().size() < Math.max(backupsUsual, 1)) {
            add(Kind.UNDER, zone.backups().isEmpty(), 0, number, "zone " + number + " has " + zone.backups().size()
                + " of " + Math.max(backupsUsual, 1) + " backups");
        }
    }

    private void places() {
        RackSpread spread = RackSpread.of(status);
        spread.sharing().forEach(zone -> add(Kind.RACK, false, 0, zone.zone(), "two copies of zone " + zone.zone()
            + " share a rack: " + (spread.hasTooFew() ? "there are too few racks" : "./teff cluster rebalance moves"
            + " backups")));
        if (status.isNearEndOfZones()) {
            add(Kind.ZONES, status.zonesGiven() == ClusterStatus.ZONES_MAX, 0, 0, status.zonesGiven() + " of "
                + ClusterStatus.ZONES_MAX + " zones are given");
        }
    }

    // ---- nodes ----

    private void node(Member node) {
        int nid = node.life().nid();
        String name = look.name(node);
        NodeStatus seen = node.status();
        ClusterFigures.Answer answer = figures.node(nid);
        if (seen == null && answer == null) {
            add(Kind.NODE, node.role() == NodeRole.PEER, nid, 0, name + " does not answer");
        }
        if (seen != null && !seen.problem().isEmpty()) {
            add(Kind.PROBLEM, false, nid, 0, name + ": " + seen.problem());
        }
        if (answer != null) {
            rooms(nid, name, answer.figures());
            lease(nid, name, answer.figures());
            certificate(nid, name, answer.figures());
            long beyond = Math.abs(answer.clockOffsetMs()) - answer.roundTripMs();
            if (beyond > CLOCK_MS) {
                add(Kind.CLOCK, false, nid, 0, "the clock of " + name + " differs by " + answer.clockOffsetMs()
                    + " ms");
            }
        }
    }

    private void rooms(int nid, String name, NodeFigures now) {
        long disk = percent(now, Figure.DISK_FREE, Figure.DISK_SIZE);
        if (disk >= 0 && disk < DISK_LOW_PERCENT) {
            add(Kind.DISK, disk < DISK_URGENT_PERCENT, nid, 0, "the disk of " + name + " has " + disk + " % left");
        }
        long store = percent(now, Figure.STORE_USED, Figure.STORE_MAX);
        if (store >= STORE_FULL_PERCENT) {
            add(Kind.MEMORY, store >= STORE_URGENT_PERCENT, nid, 0, "the store of " + name + " is " + store
                + " % full");
        }
        long machine = percent(now, Figure.MACHINE_MEMORY_FREE, Figure.MACHINE_MEMORY);
        if (machine >= 0 && machine < MACHINE_LOW_PERCENT) {
            add(Kind.MEMORY, false, nid, 0, "the machine of " + name + " has " + machine + " % of its memory left");
        }
        long heap = percent(now, Figure.JVM_HEAP_USED, Figure.JVM_HEAP_MAX);
        if (heap >= HEAP_FULL_PERCENT) {
            add(Kind.MEMORY, false, nid, 0, "the Java heap of " + name + " is " + heap + " % full");
        }
    }

    /** Returns a part of a whole; -1 without both figures. */
    private static long percent(NodeFigures now, Figure part, Figure whole) {
        return now.get(whole) <= 0 || !now.has(part) ? -1 : now.get(part) * HUNDRED / now.get(whole);
    }

    private void lease(int nid, String name, NodeFigures now) {
        if (now.has(Figure.LEASE_LEFT) && now.get(Figure.LEASE_LEFT) < now.get(Figure.LEASE_TERM) / 2) {
            long left = now.get(Figure.LEASE_LEFT);
            add(Kind.LEASE, left == 0, nid, 0, left == 0 ? name + " holds no lease" : "the lease of " + name
                + " ends in " + left + " ms");
        }
    }

    private void certificate(int nid, String name, NodeFigures now) {
        long left = now.get(Figure.CERTIFICATE_LEFT);
        if (left != NodeFigures.ABSENT && left < CERTIFICATE_DAYS * DAY_S) {
            add(Kind.CERTIFICATE, left < DAY_S, nid, 0, "a certificate of " + name
                + (left == 0 ? " has ended" : " ends in " + left / DAY_S + " days"));
        }
    }
}
