package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.ring.SendRing;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Features;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One link, from its greeting to its end: lets both sides prove themselves, then carries the frames of a session. Used
 * by its agent only, which may become another one when a link that has come in says who it is.
 */
public final class Channel implements LinkEvents, ListenerHandshake.Host {
    final long sinceNs;
    private static final int STUCK_BYTES = 1 << 8;

    private Agent node;
    /** Whom it dials. */
    private final @Nullable Connection dialed;
    /** What it dials, or was listened at; its scheme says whose transport has the link. */
    private final String address;
    private @Nullable DialerHandshake dialer;
    /** What its PROOF has offered; null before it has said that. */
    private @Nullable Session offered;
    private boolean isOfferedToResume;
    private @Nullable ListenerHandshake listener;
    /** What who has called says first. */
    private Greeting.@Nullable Hello hello;
    /** So many links of the connection had opened when that was taken. */
    private long linksBefore;
    /** It waits for its other agent, and may not say a word. */
    private boolean isMoving;
    private final GreetingReader greetings = new GreetingReader();
    /** Bytes of greetings that the link has not taken yet. */
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private @Nullable MemorySegment control;
    private int controlFrom;
    private int controlEnd;
    private @Nullable Link link;
    private @Nullable Session session;
    private boolean isBlocked = true;
    private boolean hasConnected;
    /** Whether what is sent has checksums. */
    private final boolean isChecked;
    /** Whether a thread writes, or has not come back from that. */
    private boolean isWriting;
    /** Whether the other side sends nothing before this one has said something. */
    private boolean isToSpeak;
    private boolean isClosed;
    /** Whether it ends because nobody needs it, and whether this side has said so. */
    private boolean isResting;
    private boolean isOwnRest;
    private long heardNs;
    private long saidNs;
    /** What was heard last when that was told to be long ago. */
    private long delayedNs;
    /** So many signs of life that this side has given unasked had no answer yet. */
    private int asked;
    /** So many of the other side wait for an answer. */
    private int answersDue;
    /** So far the other side's stream had come, with what is half here, when it was looked at. */
    private long seenEnd;
    private long seenNs;

    private Channel(Agent node, @Nullable Connection dialed, String address) {
        this.node = node;
        this.dialed = dialed;
        this.address = address;
        this.isChecked = node.config().hasChecksums(address);
        this.sinceNs = node.nowNs();
        this.heardNs = sinceNs;
        this.saidNs = sinceNs;
        this.delayedNs = sinceNs - 1;
    }

    /** The side that dials. */
    static Channel dialing(Agent node, Connection dialed, String address) {
        final Channel channel = new Channel(node, dialed, address);
        channel.dialer = node.handshakes().dialing(dialed, channel);
        return channel;
    }

    /** The side that was called. */
    static Channel called(Agent node, Link link, String listenedAt) {
        final Channel channel = new Channel(node, null, listenedAt);
        channel.link = link;
        channel.listener = node.handshakes().listening(channel);
        return channel;
    }

    void setLink(Link its) {
        link = its;
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean isOpen() {
        return !isClosed && session != null;
    }

    /** Whether it has ever carried a session. */
    boolean hasOpened() {
        return session != null;
    }

    /** Whether the other side was reached, whoever that is. */
    boolean hasConnected() {
        return hasConnected;
    }

    /** Whether it has ended because nobody needs it. */
    boolean isResting() {
        return isResting;
    }

    /** Whether this side has ended it because nobody needs it. */
    boolean isOwnRest() {
        return isOwnRest;
    }

    /** The session that its PROOF has offered; null if this side has not said that. */
    @Nullable Session offered() {
        return offered;
    }

    /** Whether it was offered to go on. */
    boolean isOfferedToResume() {
        return isOfferedToResume;
    }

    void setOffered(Session its, boolean isToResume) {
        offered = its;
        isOfferedToResume = isToResume;
    }

    /** How many links of the connection had opened when HELLO was taken. */
    long linksBefore() {
        return linksBefore;
    }

    void setLinksBefore(long links) {
        linksBefore = links;
    }

    /** Whose link it is; null of one that was called while the other side has not proved who it is. */
    @Nullable Connection connection() {
        return session == null ? dialed : session.connection;
    }

    /** The NID of the other side, or what it says, which may be wrong; -1 if it has said nothing. */
    int saidNid() {
        return dialed != null ? dialed.nid : hello != null ? hello.nid() : -1;
    }

    long heardNs() {
        return heardNs;
    }

    /** Whether nothing was heard for so long, though it stands; once while that lasts. */
    boolean isDelayed(long ns) {
        final boolean isNew = isOpen() && delayedNs != heardNs && node.nowNs() - heardNs > ns;
        if (isNew) {
            delayedNs = heardNs;
        }
        return isNew;
    }

    String peer() {
        return link == null ? address : link.peer();
    }

    // ---- from the agent that accepts to the one whose it is ----

    /** Whose it is; asked by the agent that accepts, the only one that changes it. */
    Agent node() {
        return node;
    }

    /** What who has called has said first; once it has. */
    Greeting.Hello hello() {
        return Objects.requireNonNull(hello);
    }

    /** It will be another agent's, which is told of it next; its transport lets the link go. */
    void leave(Agent to, Transports transports) throws IOException {
        transports.of(address).release(Objects.requireNonNull(link));
        isMoving = false;
        node = to;
    }

    /** It is this agent's now, which answers what was said. */
    void goOn(Transports transports) {
        try {
            transports.of(address).adopt(Objects.requireNonNull(link));
            answer(Objects.requireNonNull(listener), hello());
        } catch (RefusedException e) {
            refuse(e);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public @Nullable Refusal check(Greeting.Hello says) {
        return node.handshakes().check(this, says);
    }

    @Override
    public Greeting.Proof welcome(Greeting.Hello says, Greeting.Proof offered) throws RefusedException {
        return node.handshakes().welcome(this, says, offered);
    }

    // ---- the link's events ----

    @Override
    public void connected() {
        isBlocked = false;
        hasConnected = true;
        if (dialer != null) {
            say(dialer.hello(node.nonce()));
        }
    }

    @Override
    public void bytes(MemorySegment memory, long from, int bytes) {
        heardNs = node.nowNs();
        try {
            long at = from;
            if (session == null) {
                final ByteBuffer said = GreetingReader.view(memory, from, bytes);
                greet(said);
                at += said.position();
            }
            final Session its = session;
            if (its != null && !isClosed && at < from + bytes) {
                take(its, memory, at, (int) (from + bytes - at));
                if (its.isBeyond()) {
                    throw new ProtocolException("more came than was allowed: " + its.in.position());
                }
                node.activate(its.connection);
            }
        } catch (RefusedException e) {
            refuse(e);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void take(Session its, MemorySegment memory, long at, int bytes) throws ProtocolException {
        final ConnectionCounters traffic = its.connection.traffic;
        final long before = its.in.position();
        traffic.bytesReceived.add(bytes);
        its.heard();
        its.in.take(memory, at, bytes);
        if (its.in.position() != before) {
            traffic.lastNs.set(heardNs);
        }
    }

    private void greet(ByteBuffer said) throws IOException {
        while (session == null && !isClosed) {
            final Greeting message = isMoving ? null : greetings.read(said);
            if ((isMoving || message instanceof Greeting.Hello) && said.hasRemaining()) {
                throw new ProtocolException("who dials says more before it is answered");
            }
            if (message == null) {
                return;
            }
            if (dialer != null) {
                final byte[] answer = dialer.take(message);
                if (answer != null) {
                    say(answer);
                }
                if (dialer.isDone()) {
                    isToSpeak = !dialer.welcome().isResumed();
                    open(node.handshakes().welcomed(this, dialer));
                }
            } else if (listener != null) {
                hear(listener, message);
            }
        }
    }

    private void hear(ListenerHandshake its, Greeting message) throws IOException {
        if (hello == null && message instanceof Greeting.Hello first) {
            hello = first;
            isMoving = node.moves().isOfAnother(this, first.nid());
        }
        if (!isMoving) {
            answer(its, message);
        }
    }

    private void answer(ListenerHandshake its, Greeting message) throws IOException {
        say(its.take(message));
        if (its.isDone()) {
            open(node.handshakes().proved(its));
        }
    }

    private void open(Session its) {
        session = its;
        its.in.setChecked(has(Features.CHECKSUMS));
        node.opened(this, its);
    }

    @Override
    public void writable() {
        isBlocked = false;
        if (session != null) {
            node.activate(session.connection);
        } else {
            flushGreetings();
        }
    }

    @Override
    public void closed(@Nullable IOException why) {
        end(why == null && hasOpened() ? new EOFException("the other side has closed the link") : why);
    }

    // ---- the end ----

    private void refuse(RefusedException e) {
        if (e.isOwn() && e.reason() != Refusal.PROOF) {
            say(new Greeting.Refused(e.reason().code()).toBytes());
        }
        fail(e);
    }

    /** Closes the link because of something. */
    public void fail(@Nullable IOException why) {
        if (!isClosed && link != null) {
            link.close();
        }
        end(why);
    }

    private void end(@Nullable IOException why) {
        if (!isClosed) {
            isClosed = true;
            node.ended(this, why);
        }
    }

    /** Says that this node ends, and closes the link. */
    void close() {
        if (isOpen() && controlFrom == controlEnd && !isBlocked && !isWriting && !isInFrame()) {
            final MemorySegment to = control();
            endControl(Control.putClosing(to, 0, Control.END));
            if (link != null) {
                link.write(to, 0, controlEnd);
            }
        }
        fail(null);
    }

    // ---- rest ----

    private boolean mayRest() {
        return has(Features.REST);
    }

    /** Whether both sides have a feature. */
    private boolean has(int feature) {
        final int features = dialer != null ? dialer.features() : listener != null ? listener.features() : 0;
        return (features & feature) != 0;
    }

    /** Whether what this side sends has checksums. */
    boolean isChecked() {
        return isChecked;
    }

    /** Whether nobody needs it, as far as this side knows: it has lasted, and nothing is on its way or waits. */
    boolean isAtRest(long nowNs) {
        final Session its = session;
        return its != null && isOpen() && nowNs - sinceNs >= node.config().steadyNs() && mayRest() && !isBlocked
            && !isWriting && controlFrom == controlEnd && its.isAtRest();
    }

    /**
     * Closes a link that is at rest, behind a word about all that has come; false if the link does not take that now.
     * One that takes half of it breaks.
     */
    public boolean closeToRest() {
        final Session its = session;
        final Link to = link;
        if (its == null || to == null) {
            return false;
        }
        putProgress(its);
        final int told = flushControl(to);
        if (isBlocked) {
            sent(its, told, false);
            return false;
        }
        endControl(Control.putClosing(control(), 0, Control.REST));
        final int said = flushControl(to);
        sent(its, told + said, false);
        if (said == 0) {
            controlEnd = 0;
            return false;
        }
        isResting = !isBlocked;
        isOwnRest = isResting;
        fail(isResting ? null : new IOException("it has taken half of a frame as it was closed to rest"));
        return true;
    }

    // ---- sending ----

    private void say(byte[] greeting) {
        unsent.writeBytes(greeting);
        flushGreetings();
    }

    private boolean flushGreetings() {
        if (unsent.size() > 0 && link != null && !isBlocked && !isClosed) {
            final byte[] bytes = unsent.toByteArray();
            final int taken = link.write(MemorySegment.ofArray(bytes), 0, bytes.length);
            unsent.reset();
            unsent.write(bytes, taken, bytes.length - taken);
            isBlocked = taken < bytes.length;
        }
        return unsent.size() == 0;
    }

    /** Nothing was said for a while. */
    void rest() {
        if (link != null) {
            link.rest();
        }
    }

    private MemorySegment control() {
        if (control == null) {
            control = Control.allocate();
        }
        return control;
    }

    private boolean isInFrame() {
        final SendRing ring = session == null ? null : session.out.sending();
        return ring != null && ring.frameBytesLeft() > 0;
    }

    /**
     * Whether a sender's thread was torn out of a write, by the end of its stack or of memory: nobody knows what was
     * written, so the stream can go on over another link only.
     */
    boolean isTorn() {
        return isWriting;
    }

    /** Sends what there is of the session, as much as the link and the other side take; how many bytes. */
    int flush() {
        final Session its = session;
        final Link to = link;
        if (its == null || to == null || isClosed || isWriting || !flushGreetings()) {
            return 0;
        }
        isWriting = true;
        int work = 0;
        boolean hasSent = false;
        while (!isBlocked && !isClosed) {
            final SendRing ring = its.out.sending();
            final boolean isInFrame = ring != null && ring.frameBytesLeft() > 0;
            if (!isInFrame && controlFrom == controlEnd && (its.isProgressDue(node.nowNs(), node.config())
                || isToSpeak && (ring == null || run(ring, its) == 0))) {
                putProgress(its);
            }
            final boolean isControl = !isInFrame && controlFrom < controlEnd;
            final int taken = isControl ? flushControl(to) : ring == null ? 0 : flushRun(to, ring, its);
            if (taken == 0) {
                break;
            }
            work += taken;
            isToSpeak = false;
            hasSent |= !isControl;
        }
        if (work > 0) {
            sent(its, work, hasSent);
        }
        isWriting = false;
        return work;
    }

    private void sent(Session its, int bytes, boolean hasFrames) {
        saidNs = node.nowNs();
        its.connection.traffic.bytesSent.add(bytes);
        if (hasFrames) {
            its.connection.traffic.lastNs.set(saidNs);
        }
    }

    private int flushRun(Link to, SendRing ring, Session its) {
        final int bytes = run(ring, its);
        if (bytes == 0) {
            return 0;
        }
        if (isChecked) {
            ring.check(bytes);
        }
        ring.giving(bytes);
        final int taken = to.write(ring.memory(), ring.runOffset(), bytes);
        ring.sent(taken);
        isBlocked = taken < bytes;
        return taken;
    }

    /** How much of a ring to write at once: only to the end of a frame if something else must be said. */
    private int run(SendRing ring, Session its) {
        final int bytes = ring.runBytes(its.peerLimit());
        final int left = ring.frameBytesLeft();
        return left > 0 && controlFrom < controlEnd ? Math.min(bytes, left) : bytes;
    }

    private int flushControl(Link to) {
        final int taken = to.write(control(), controlFrom, controlEnd - controlFrom);
        controlFrom += taken;
        isBlocked = controlFrom < controlEnd;
        if (!isBlocked) {
            controlFrom = 0;
            controlEnd = 0;
        }
        return taken;
    }

    @Override
    public String toString() {
        final SendRing ring = session == null ? null : session.out.sending();
        return "blocked " + isBlocked + " closed " + isClosed + " control " + controlFrom + ".." + controlEnd
            + " greetings " + unsent.size() + (session == null ? "" : " limit " + session.peerLimit() + " in "
            + session.in.position() + "+" + session.in.partBytes() + " mylimit " + session.limit())
            + (ring == null ? "" : " acked " + ring.acked() + " sent " + ring.sent() + " left " + ring.frameBytesLeft()
            + " committed " + ring.committed() + " tail " + ring.tail() + " closed " + ring.isClosed());
    }

    /** Whether it can only go on when the link says so. */
    boolean isBlocked() {
        return isBlocked;
    }

    /** Whether there is something to send, and it can only go on when the other side says so. */
    boolean isStalled() {
        final SendRing ring = session == null ? null : session.out.sending();
        return ring != null && session != null && ring.committed() > ring.sent()
            && ring.runBytes(session.peerLimit()) == 0;
    }

    /** A control frame is there, of so many bytes. */
    private void endControl(int bytes) {
        if (isChecked) {
            node.checker().add(control(), 0);
        }
        controlEnd = bytes;
    }

    private void putProgress(Session its) {
        final long received = its.in.position();
        final long limit = its.limit();
        if (received == its.toldReceived() && limit == its.toldLimit()) {
            asked++;                                            // it is a sign of life, whatever it was said for
        }
        endControl(Control.putProgress(control(), 0, received, limit));
        its.told(received, limit, node.nowNs());
    }

    // ---- signs of life ----

    /** Gives a sign of life if nothing was said for so long, and the answers to others that are due. */
    void sayAfter(long ns) {
        final Session its = session;
        if (its == null) {
            return;
        }
        answer(its);
        if (node.nowNs() - saidNs > ns && controlFrom == controlEnd) {
            putProgress(its);
            node.activate(its.connection);
        }
    }

    /**
     * The other side has said again what it has said before: that is a sign of life, and asks for one, as it may need
     * them more often than this side; or it answers one of this side.
     *
     * <p>An answer says once more what this side has said last, whatever has come since, so both sides count the same:
     * as many signs are on their way as both have in {@link #asked}. Of two that ask at the same time nobody answers,
     * and an answer finds who has asked, so none is answered for ever.
     */
    private void heardSign(Session its) {
        if (asked > 0) {
            asked--;
        } else {
            answersDue++;
            answer(its);
        }
    }

    /** Answers a sign of life, unless this side has said something just now; then it does in a later tick. */
    private void answer(Session its) {
        if (answersDue > 0 && controlFrom == controlEnd && node.nowNs() - saidNs >= node.config().tickNs()) {
            answersDue--;
            endControl(Control.putProgress(control(), 0, its.toldReceived(), its.toldLimit()));
            node.activate(its.connection);
        }
    }

    /**
     * Whether a frame does not come to its end, where checksums are asked for: less of it than {@value #STUCK_BYTES}
     * bytes has come since so long. Its length may have been changed on the way, and now it takes what follows for its
     * own, such as signs of life, of which there are fewer.
     */
    boolean isStuck(long ns) {
        final Session its = session;
        if (its == null || !isChecked) {
            return false;
        }
        final int part = its.in.partBytes();
        final long end = its.in.position() + part;
        final long now = node.nowNs();
        if (part == 0 || end < seenEnd || end - seenEnd >= STUCK_BYTES) {
            seenEnd = end;
            seenNs = now;
        }
        return now - seenNs > ns;
    }

    // ---- control frames that come in ----

    /** Takes one. */
    void control(MemorySegment memory, long at) throws ProtocolException {
        final Session its = session;
        if (its == null) {
            return;
        }
        switch (Control.check(memory, at)) {
            case Control.PROGRESS -> progress(its, Control.received(memory, at), Control.limit(memory, at));
            default -> closing(its, Control.code(memory, at));
        }
    }

    private void progress(Session its, long received, long limit) throws ProtocolException {
        if (its.isKnownProgress(received, limit)) {
            heardSign(its);
        } else if (!its.progress(received, limit)) {
            throw new ProtocolException("progress of " + received + ", " + limit + " is not possible");
        }
    }

    /**
     * The other side closes the link. With a message half here one that is to rest counts as one that broke: it must
     * come to its end some time.
     */
    private void closing(Session its, int code) throws ProtocolException {
        if (code != Control.REST) {
            node.lose(its.connection, its, "the other node has closed its network");
            return;
        }
        if (!mayRest()) {
            throw new ProtocolException("a link is to rest, though both sides have not agreed to that");
        }
        isResting = !its.fragments().hasBegun();
        fail(isResting ? null : new EOFException("the other side has closed the link in the middle of a message"));
    }
}
