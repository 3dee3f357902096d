package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.FailureText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can do by the console. Each action needs the token of operators and a confirmation: the text of the
 * action, typed by a person. Actions of later versions, such as a drain, get a case in {@link #act}. Thread-safe.
 */
final class Actions {
    private static final String BEARER = "Bearer ";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final byte @Nullable [] token;
    private final Picture picture;
    private final System.Logger log;
    private final Rate wrong;

    /** The result of an action. */
    record Result(int code, String text) {}

    Actions(ConsoleSetup setup, Picture picture) {
        token = setup.token();
        this.picture = picture;
        log = setup.log();
        wrong = new Rate(setup.clock(), RequestLimits.WRONG_TOKENS_PER_MINUTE, 60,
            RequestLimits.WRONG_TOKENS_PER_MINUTE);
    }

    /** Runs an action, if token and confirmation are right. */
    Result run(@Nullable String authorization, String body, String from) {
        if (token == null) {
            return new Result(403, "this console has no token of operators, so it changes nothing");
        }
        if (!wrong.isOpen()) {
            return new Result(429, "too many wrong tokens; wait a minute");
        }
        if (authorization == null || !authorization.startsWith(BEARER) || !MessageDigest.isEqual(token,
            authorization.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8))) {
            var _ = wrong.admit();
            log.log(System.Logger.Level.WARNING, "console: a wrong token of operators from " + from);
            return new Result(401, "the token is wrong");
        }
        Map<String, Object> fields = ConsoleJson.object(body);
        if (fields == null) {
            return new Result(400, "an action is an object of JSON");
        }
        Result result = act(fields);
        log.log(System.Logger.Level.WARNING, "console: " + fields.get("action") + " " + fields.get("zone") + " from "
            + from + ": " + result.text());
        return result;
    }

    private Result act(Map<String, Object> fields) {
        return switch (String.valueOf(fields.get("action"))) {
            case "accept-loss" -> acceptLoss(fields);
            default -> new Result(400, "there is no such action; allowed: accept-loss");
        };
    }

    private Result acceptLoss(Map<String, Object> fields) {
        if (!(fields.get("zone") instanceof Integer number) || !(fields.get("epoch") instanceof Integer epoch)) {
            return new Result(400, "zone and epoch are numbers");
        }
        if (!("accept loss of zone " + number).equals(fields.get("confirm"))) {
            return new Result(400, "the confirmation is: accept loss of zone " + number);
        }
        ZoneStatus zone = picture.admin().tables().zone(number);
        if (zone == null || zone.epoch() != epoch || !zone.isWaiting()) {
            return new Result(409, "zone " + number + " has changed, or does not wait; nothing was given up");
        }
        Object copyOf = fields.get("copyOf");
        ZoneStatus.Copy chosen = copyOf instanceof Integer nid ? zone.outdated().stream()
            .filter(copy -> copy.node().nid() == nid).reduce((_, last) -> last).orElse(null) : null;
        if (copyOf != null && chosen == null) {
            return new Result(400, "zone " + number + " has no older copy at " + copyOf);
        }
        try {
            ClusterAdmin.Acceptance acceptance = picture.admin().acceptLoss(zone, chosen, PATIENCE_NS);
            return switch (acceptance) {
                case ACCEPTED -> new Result(200, "the loss of zone " + number + " is accepted");
                case CHANGED -> new Result(409, "zone " + number + " has changed; nothing was given up");
                case UNANSWERED -> new Result(504, "no superpeer led in time; the loss may be accepted later");
            };
        } catch (IllegalArgumentException e) {
            return new Result(409, FailureText.of(e));
        }
    }
}
