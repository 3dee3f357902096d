package io.teff.cluster.client;

import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.Barrier;
import io.teff.cluster.service.HoldLostException;
import io.teff.engine.os.Deadline;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A barrier: places that are granted together, and stay until all parties have read the values. */
record RemoteBarrier(ServiceCalls calls, String name, int parties) implements Barrier {
    @Override
    public Optional<List<byte[]>> await(byte[] value, long timeoutNs) {
        final Deadline limit = Deadline.in(calls.clock(), timeoutNs);
        final RegistryStep enter = new RegistryStep(StepCode.ENTER, 0, 0, parties, 1, StepCode.BARRIER, name,
            RemoteServices.value(value, RegistryLimits.PLACE_BYTES_MAX));
        final ServiceCalls.Done entered;
        try (Call call = calls.call("enter barrier " + name)) {
            entered = calls.change(call, enter);
        }
        final ServiceAnswer answer = entered.answer();
        if (answer.code() != RegistryResult.DONE) {
            throw RemoteServices.refused("barrier " + name, answer);
        }
        final ServiceSession session = entered.session();
        final long place = answer.first();
        long token = answer.second() != 0 ? answer.second() : ServiceQueue.await(calls, session, name, place, limit);
        token = token == 0 ? leaveWaiting(session, place) : token;
        if (token == 0) {
            return Optional.empty();
        }
        final List<byte[]> values = token < 0 ? List.of() : values(session, place, token);
        if (values.isEmpty()) {
            throw new HoldLostException("barrier " + name + ": the session of this client has ended");
        }
        calls.leave(session, name, place);
        return Optional.of(values);
    }

    private List<byte[]> values(ServiceSession session, long place, long token) {
        try (Call call = calls.call("read the values of barrier " + name)) {
            return calls.ask(call, RegistryStep.of(StepCode.VALUES, token, name), 0).rows().stream()
                .map(row -> Objects.requireNonNull(row.value())).toList();
        } catch (RuntimeException e) {
            calls.leaveLater(session, name, place);
            throw e;
        }
    }

    /** Leaves a waiting place. Returns the token of a granted place, 0 if the place was left, -1 if it is gone. */
    private long leaveWaiting(ServiceSession session, long place) {
        try (Call call = calls.call("leave barrier " + name)) {
            final ServiceAnswer answer = calls.changeIn(call, session, new RegistryStep(StepCode.LEAVE, 0, 0, place, 1,
                0, name, RegistryStep.NONE));
            return answer.code() == RegistryResult.DONE ? answer.second() : -1;
        }
    }
}
