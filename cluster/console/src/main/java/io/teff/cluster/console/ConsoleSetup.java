package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.net.URI;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a node that a console uses.
 *
 * @param node name of the node of the console, which restarts last in a roll
 * @param address where browsers find the console; the console listens at this host and port
 * @param tls key and certificate for an address of {@code https}; null for {@code http}
 * @param token the token of operators; null for none
 * @param operators returns the principal with the role of operators that has a token, or null; null without roles
 * @param admin the connection to the cluster; closed with the console
 * @param browser reads collections and chunks; closed with the console
 * @param log receives a line for each action and each failure of the console
 * @param clock measures ages of pictures
 * @param threads makes the threads of the console
 */
public record ConsoleSetup(String node, URI address, @Nullable SSLContext tls, byte @Nullable [] token,
                           @Nullable Function<byte[], @Nullable String> operators, ClusterAdmin admin, Browser browser,
                           System.Logger log, Clock clock, Threads threads) {
    /** Returns whether the console has operators. */
    boolean hasActions() {
        return token != null || operators != null;
    }
}
