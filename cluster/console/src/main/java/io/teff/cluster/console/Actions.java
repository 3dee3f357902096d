package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.FailureText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The actions of operators in the console. Each action needs the token of operators and a confirmation: the text of the
 * action, typed by a person. The token is that of the configuration, or that of a principal with the role of operators.
 * Thread-safe.
 */
final class Actions {
    private static final String BEARER = "Bearer ";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final String OWN = "the console's token";

    /** The confirmation of a roll of all nodes. */
    private static final String ROLL_ALL = "roll all nodes";

    private final ConsoleSetup setup;
    private final ClusterRoll roll;
    private final Picture picture;
    private final System.Logger log;
    private final Rate wrong;

    /** The result of an action. */
    record Result(int code, String text) {}

    Actions(ConsoleSetup setup, Picture picture) {
        this.setup = setup;
        this.picture = picture;
        log = setup.log();
        roll = new ClusterRoll(setup, picture);
        wrong = new Rate(setup.clock(), RequestLimits.WRONG_TOKENS_PER_MINUTE, 60,
            RequestLimits.WRONG_TOKENS_PER_MINUTE);
    }

    /** Runs an action, if token and confirmation are right. */
    Result run(@Nullable String authorization, String body, String from) {
        if (!setup.hasActions()) {
            return new Result(403, "this console has no token of operators, so it changes nothing");
        }
        if (!wrong.isOpen()) {
            return new Result(429, "too many wrong tokens; wait a minute");
        }
        String operator = operator(authorization);
        if (operator == null) {
            var _ = wrong.admit();
            log.log(System.Logger.Level.WARNING, "console: a wrong token of operators from " + from);
            return new Result(401, "the token is wrong");
        }
        Map<String, Object> fields = ConsoleJson.object(body);
        if (fields == null) {
            return new Result(400, "an action is an object of JSON");
        }
        Result result = act(fields);
        Object of = fields.containsKey("zone") ? fields.get("zone") : fields.getOrDefault("nid", "of all nodes");
        log.log(System.Logger.Level.WARNING, "console: " + fields.get("action") + " " + of + " from "
            + from + " by " + operator + ": " + result.text());
        return result;
    }

    /** Returns whose token a request has; null for a wrong token. */
    private @Nullable String operator(@Nullable String authorization) {
        if (authorization == null || !authorization.startsWith(BEARER)) {
            return null;
        }
        byte[] given = authorization.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8);
        byte[] token = setup.token();
        if (token != null && MessageDigest.isEqual(token, given)) {
            return OWN;
        }
        Function<byte[], @Nullable String> operators = setup.operators();
        String principal = operators == null ? null : operators.apply(given);
        return principal == null ? null : "the principal " + principal;
    }

    private Result act(Map<String, Object> fields) {
        return switch (String.valueOf(fields.get("action"))) {
            case "accept-loss" -> acceptLoss(fields);
            case "drain" -> drain(fields, true);
            case "undrain" -> drain(fields, false);
            case "restart" -> restart(fields);
            case "roll" -> roll(fields);
            default -> new Result(400, "there is no such action; allowed: accept-loss, drain, undrain, restart, roll");
        };
    }

    /** Begins to restart a node. */
    private Result restart(Map<String, Object> fields) {
        if (!(fields.get("nid") instanceof Integer nid)) {
            return new Result(400, "nid is a number");
        }
        return fields.get("confirm") instanceof String said && said.equals("restart node " + nid)
            ? begun(roll.begin(nid)) : new Result(400, "the confirmation is: restart node " + nid);
    }

    /** Begins to restart all nodes, one at a time. */
    private Result roll(Map<String, Object> fields) {
        return ROLL_ALL.equals(fields.get("confirm")) ? begun(roll.begin(null))
            : new Result(400, "the confirmation is: " + ROLL_ALL);
    }

    private static Result begun(ClusterRoll.Begin begin) {
        return new Result(begin.isBegun() ? 200 : 409, begin.text());
    }

    /** Begins or ends a drain of a peer, which goes on by itself. */
    private Result drain(Map<String, Object> fields, boolean isBegin) {
        String name = isBegin ? "drain" : "undrain";
        if (!(fields.get("nid") instanceof Integer nid)) {
            return new Result(400, "nid is a number");
        }
        if (!(name + " node " + nid).equals(fields.get("confirm"))) {
            return new Result(400, "the confirmation is: " + name + " node " + nid);
        }
        try {
            if (!isBegin) {
                picture.admin().moves().reload(nid, PATIENCE_NS);
                return new Result(200, "node " + nid + " takes zones again");
            }
            ClusterMoves.Unloading work = picture.admin().moves().unload(nid, PATIENCE_NS);
            return new Result(200, "node " + nid + " is drained of " + work.zones() + " zones and " + work.copies()
                + " copies from now on");
        } catch (MoveRefusedException e) {
            return new Result(e.reason() == MoveRefusedException.Reason.UNANSWERED ? 504 : 409, FailureText.of(e));
        }
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
