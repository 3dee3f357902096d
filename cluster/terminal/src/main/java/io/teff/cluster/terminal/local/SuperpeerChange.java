package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command for the superpeers of the cluster of a folder, or of a cluster that is named by addresses. */
abstract class SuperpeerChange extends ClusterChange {
    /** Returns the superpeer that a person names by the name of its folder, or by its number. */
    final Member member(ClusterStatus status, String text) {
        int number = -1;
        if (text.matches("\\d{1,2}")) {
            number = Integer.parseInt(text);
        } else if (cluster() instanceof ClusterFolder here) {
            number = here.node(text).config().number();
        }
        for (Member node : SuperpeersCommand.superpeers(status)) {
            if (SuperpeersCommand.number(node) == number) {
                return node;
            }
        }
        throw new CommandFailure("there is no superpeer " + text + "; ./teff cluster superpeers lists them");
    }

    // ---- adding ----

    /** Adds a superpeer at an address, or on this machine without an address. */
    final int add(ClusterAdmin admin, @Nullable String address) throws IOException {
        if (address != null) {
            return addElsewhere(admin, address);
        }
        ClusterFolder here = cluster();
        if (here == null) {
            throw new CommandFailure("name the address at which the new superpeer will listen");
        }
        return addHere(admin, here);
    }

    private int addHere(ClusterAdmin admin, ClusterFolder here) throws IOException {
        if (here.supervisor() == null) {
            throw new CommandFailure("the cluster of folder " + here.path() + " has no supervisor that could start a "
                + "superpeer\n  this starts one: ./teff cluster up" + folder().text());
        }
        int port = here.freeSuperpeerPort();
        String address = here.plan().link(port);
        int number = admin.addSuperpeer(address, patienceNs());
        LocalNode node = here.addSuperpeer(number, port, superpeerAddresses(admin));
        note("starts " + node.name() + ", superpeer " + number + ", at " + address);
        here.requestStart(node);
        if (!admin.awaitSuperpeers(patienceNs())) {
            note(node.name() + " does not count yet; its log: ./teff cluster logs " + node.name() + folder().text());
            return UNFINISHED;
        }
        here.changeSuperpeers(superpeerAddresses(admin));
        print("added " + node.name() + ", superpeer " + number + "; " + count(admin));
        return 0;
    }

    private int addElsewhere(ClusterAdmin admin, String address) throws IOException {
        int number;
        try {
            number = admin.addSuperpeer(address, patienceNs());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(FailureText.of(e), e);
        }
        print("superpeer " + number + " enters at " + address + "; start a node there, with an empty folder, and in its"
            + " configuration, beside its other values:");
        print("  [node]\n  role = \"superpeer\"\n  listen = \"" + address + "\"\n  [cluster]\n  superpeers = "
            + superpeerAddresses(admin).stream().map(each -> '"' + each + '"').toList()
            + "\n  [superpeer]\n  number = " + number);
        note("waits until it counts; Ctrl-C ends the command, and not the change");
        if (!admin.awaitSuperpeers(patienceNs())) {
            note("superpeer " + number + " does not count yet");
            return UNFINISHED;
        }
        print("added superpeer " + number + "; " + count(admin));
        return 0;
    }

    private static List<String> superpeerAddresses(ClusterAdmin admin) {
        return SuperpeersCommand.superpeers(admin.tables()).stream().map(Member::address).toList();
    }

    private static String count(ClusterAdmin admin) {
        int count = admin.tables().superpeers().size();
        return "the cluster has " + count + (count == 1 ? " superpeer" : " superpeers")
            + (count % 2 == 0 ? ", and bears no more losses than with " + (count - 1) : "");
    }

    // ---- removing ----

    /** Removes a superpeer, and ends it if it runs on this machine. */
    final int remove(ClusterAdmin admin, Member superpeer) throws IOException {
        int number = SuperpeersCommand.number(superpeer);
        checkRest(status(admin), superpeer);
        admin.removeSuperpeer(number, patienceNs());
        if (!admin.awaitSuperpeers(patienceNs())) {
            note("superpeer " + number + " is not removed yet");
            return UNFINISHED;
        }
        ClusterFolder here = cluster();
        LocalNode node = here == null ? null : here.nodes().stream().filter(each -> each.isSuperpeer()
            && each.config().number() == number).findAny().orElse(null);
        if (here == null || node == null) {
            print("removed superpeer " + number + "; end its process at " + superpeer.address() + "; " + count(admin));
            return 0;
        }
        here.changeSuperpeers(superpeerAddresses(admin));
        here.remove(node);
        print("removed " + node.name() + ", superpeer " + number + "; " + count(admin));
        return 0;
    }

    /** Refuses a change after which the superpeers that answer would be no majority. */
    private static void checkRest(ClusterStatus status, Member superpeer) {
        List<Member> rest = SuperpeersCommand.superpeers(status).stream().filter(Member::isAlive)
            .filter(node -> node.life().nid() != superpeer.life().nid()).toList();
        long answering = rest.stream().filter(node -> node.status() != null).count();
        if (!rest.isEmpty() && answering * 2 <= rest.size()) {
            throw new CommandFailure("of the other " + rest.size() + " superpeers only " + answering
                + " answer, so no majority would be left; start them first");
        }
    }
}
