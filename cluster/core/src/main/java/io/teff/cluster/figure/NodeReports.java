package io.teff.cluster.figure;

import io.teff.cluster.message.AccessAnswer;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.FiguresAnswer;
import io.teff.cluster.message.FiguresRequest;
import io.teff.cluster.message.LinesAnswer;
import io.teff.cluster.message.LinesRequest;
import io.teff.cluster.message.RestartAnswer;
import io.teff.cluster.message.RestartRequest;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Caller;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions about figures and the log of a node, and the order to restart. Thread-safe. */
public interface NodeReports {
    /**
     * {@return figures of now, or of a time}
     *
     * @param request the question
     */
    FiguresAnswer figures(FiguresRequest request);

    /**
     * {@return the last lines of the log}
     *
     * @param request the question
     */
    LinesAnswer lines(LinesRequest request);

    /**
     * {@return whether the node ends, because its process is started again}
     *
     * @param request the order
     */
    RestartAnswer restart(RestartRequest request);

    /** {@return the state of roles and secret, for people} */
    String access();

    /**
     * Registers the answers with a network.
     *
     * @param network of the node
     * @param reports returns what answers; null before the node has begun
     */
    static void register(Network network, Supplier<@Nullable NodeReports> reports) {
        network.answer(CellMessages.FIGURES, (_, request) -> begun(reports).figures(request));
        network.answer(CellMessages.ACCESS, (_, _) -> {
            Caller caller = Caller.current();
            return new AccessAnswer(caller == null ? "a node or admin, by the secret of the cluster"
                : caller.toString(), begun(reports).access());
        });
        network.answer(CellMessages.LINES, (_, request) -> begun(reports).lines(request));
        network.answer(CellMessages.RESTART, (_, request) -> begun(reports).restart(request));
    }

    private static NodeReports begun(Supplier<@Nullable NodeReports> reports) {
        NodeReports known = reports.get();
        if (known == null) {
            throw new IllegalStateException("this node gives no figures yet");
        }
        return known;
    }
}
