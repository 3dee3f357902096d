package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.service.Hold;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.shell.value.CidText;
import io.teff.cluster.terminal.status.NodeList;
import io.teff.engine.NamedRoot;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by the commands of a shell: connections that are opened by the first command that needs them, and
 * the names that the shell holds. For one thread, because locks of chunks belong to threads; {@link #interrupt} alone
 * may be called by any thread.
 */
public final class ShellSession implements AutoCloseable {
    private final Place place;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<String, Hold> holds = new LinkedHashMap<>();
    private @Nullable ClusterAdmin admin;
    private @Nullable ClusterStore store;
    /** Asks a person; null without a person. */
    private @Nullable Predicate<String> person;
    private String position = "";
    private boolean isOver;
    private boolean isColoured;
    private volatile boolean isInterrupted;

    /**
     * Begins a session.
     *
     * @param place the cluster
     * @param out receives results
     * @param err receives failures
     */
    public ShellSession(Place place, PrintWriter out, PrintWriter err) {
        this.place = place;
        this.out = out;
        this.err = err;
    }

    // ---- commands ----

    /** {@return whether a command has ended the shell} */
    public boolean isOver() {
        return isOver;
    }

    void end() {
        isOver = true;
    }

    /** Ends a command that repeats or lists something. For any thread. */
    public void interrupt() {
        isInterrupted = true;
    }

    /** Forgets an interrupt of before. */
    public void clearInterrupt() {
        isInterrupted = false;
    }

    boolean isInterrupted() {
        return isInterrupted;
    }

    /**
     * Names the place of the next command in a script.
     *
     * @param text in front of the failures of the command, such as {@code file:3: }
     */
    public void position(String text) {
        position = text;
    }

    // ---- people and output ----

    /**
     * Names a person who can be asked.
     *
     * @param asked shows a question, and returns the answer
     */
    public void person(Predicate<String> asked) {
        person = asked;
    }

    /** Shows heads of tables and failures in colours. */
    public void colour() {
        isColoured = true;
    }

    /** {@return whether output has colours} */
    public boolean isColoured() {
        return isColoured;
    }

    @Nullable Predicate<String> person() {
        return person;
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    /**
     * Prints a failure, in one line.
     *
     * @param text text of the failure
     */
    public void fail(String text) {
        String line = position + String.join("; ", text.lines().map(String::strip).filter(each -> !each.isEmpty())
            .toList());
        err.println(isColoured ? "\033[31m" + line + "\033[0m" : line);
        err.flush();
    }

    // ---- the cluster ----

    Place place() {
        return place;
    }

    /** {@return the connection for administrators} */
    public ClusterAdmin admin() {
        if (admin == null) {
            try {
                admin = place.connectAdmin();
            } catch (IOException e) {
                throw new CommandFailure("the cluster cannot be reached: " + FailureText.of(e), e);
            }
        }
        return admin;
    }

    /** {@return the client} */
    public ClusterStore store() {
        if (store == null) {
            try {
                store = place.connectStore();
            } catch (IOException e) {
                throw new CommandFailure("the cluster cannot be reached: " + FailureText.of(e), e);
            }
        }
        return store;
    }

    /** {@return the nodes of the cluster; a superpeer has answered} */
    public NodeList nodes() {
        NodeList nodes = NodeList.read(place.folder(), admin());
        if (!nodes.cluster().isAnswering()) {
            throw new CommandFailure("no superpeer answers: " + nodes.cluster().problem());
        }
        return nodes;
    }

    /**
     * {@return a CID}
     *
     * @param text a CID, or @ and the name of a chunk
     */
    long cid(String text) {
        if (!text.startsWith("@")) {
            return CidText.parse(text);
        }
        NamedRoot root = store().names().get(text.substring(1)).orElse(null);
        if (root == null || root.kind() != NamedRoot.Kind.CHUNK) {
            throw new CommandFailure(root == null ? "there is no chunk with the name " + text.substring(1)
                : text.substring(1) + " is no chunk, but a " + KindText.kind(root));
        }
        return root.cid();
    }

    // ---- what the session holds ----

    Map<String, Hold> holds() {
        return holds;
    }

    /** Frees what the session holds, and closes the connections. */
    @Override
    public void close() {
        holds.values().forEach(Hold::close);
        holds.clear();
        if (store != null) {
            store.close();
        }
        if (admin != null) {
            admin.close();
        }
    }
}
