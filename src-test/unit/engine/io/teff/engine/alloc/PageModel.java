package io.teff.engine.alloc;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one page of two or three slots, its owner and its freers. Each step is one atomic access of {@link
 * Allocator} to the page (or one step under the class lock); the words are those of {@link PageControl}, the order of
 * steps is the allocator's. {@link PageExploration} walks all states.
 *
 * <p>The owner may at any time allocate, give up the page, or adopt it from the list; each freer may at any time free
 * any allocated slot. A weakness disables one rule, to show that the exploration detects it.
 */
final class PageModel {
    /** A disabled rule. */
    enum Weakness {
        /** The allocator with all rules. */
        NONE,
        /** The owner gives up a page as full without checking the number of used slots. */
        EXHAUSTED_IGNORES_USED,
        /** A freer first counts, then sets its bit. */
        COUNT_BEFORE_BIT,
        /** The owner clears a summary bit after it has taken the bitmap word. */
        SUMMARY_AFTER_EXCHANGE,
        /** Every freer of a page that is being listed lists it. */
        EVERY_FREER_LISTS,
        /** The lister ignores that the last slot was freed meanwhile. */
        LISTER_IGNORES_EMPTY,
        /** A stripe adopts any page on the list, including one that is about to be released. */
        ADOPT_GONE,
    }

    /** Position of a thread in its operation. */
    private enum At {
        IDLE,
        ADOPT_READ, ADOPT_CAS, ADOPT_UNLOCK,
        CLAIM_READ, CLAIM_CLEAR, CLAIM_SWAP, CLAIM_STEP_READ, CLAIM_STEP_CAS, EXHAUST_READ, EXHAUST_CAS,
        GIVE_BIT, GIVE_SUMMARY, GIVE_STEP_READ, GIVE_STEP_CAS, ABANDON_READ, ABANDON_CAS,
        FREE_BIT, FREE_SUMMARY, FREE_READ, FREE_CAS,
        LIST_LOCK, LIST_READ, LIST_CAS, LIST_UNLOCK,
        UNLINK_LOCK, UNLINK, GONE_UNLOCK, RELEASE,
    }

    /** A packed state; equal states are equal records. */
    record Key(long page, long threads) {}

    private static final int THREAD_BITS = 15;
    /** The owner; all others are freers. */
    private static final int OWNER = 0;

    private final Weakness weakness;
    private final int slots;
    private int bitmap;
    private int summary;
    private long control;
    private boolean listed;
    private boolean released;
    private boolean locked;
    private boolean owned;
    private int claimed;
    /** Slots on the way between the bitmap and the owner, in either direction. */
    private int moving;
    private int word;
    private final At[] at;
    private final int[] slot;
    private final long[] seen;

    /** Creates a fresh page that belongs to its owner. */
    PageModel(Weakness weakness, int slots, int freers) {
        this.weakness = weakness;
        this.slots = slots;
        bitmap = (1 << slots) - 1;
        summary = 0b11;
        control = PageControl.pack(PageControl.ACTIVE, 0);
        owned = true;
        at = new At[freers + 1];
        Arrays.fill(at, At.IDLE);
        slot = new int[freers + 1];
        seen = new long[freers + 1];
    }

    private PageModel(PageModel other) {
        weakness = other.weakness;
        slots = other.slots;
        bitmap = other.bitmap;
        summary = other.summary;
        control = other.control;
        listed = other.listed;
        released = other.released;
        locked = other.locked;
        owned = other.owned;
        claimed = other.claimed;
        moving = other.moving;
        word = other.word;
        at = other.at.clone();
        slot = other.slot.clone();
        seen = other.seen.clone();
    }

    /** Returns a key that is equal for states that differ only in a permutation of the freers. */
    Key key() {
        long[] threads = new long[at.length];
        for (int t = 0; t < at.length; t++) {
            threads[t] = packed(seen[t]) << 7 | (long) slot[t] << 5 | at[t].ordinal();
        }
        Arrays.sort(threads, OWNER + 1, threads.length);
        long page = packed(control);
        for (int bits : new int[] {bitmap, summary, claimed, moving}) {
            page = page << 3 | bits;
        }
        for (boolean bit : new boolean[] {listed, released, locked, owned, word != 0}) {
            page = page << 1 | (bit ? 1 : 0);
        }
        long all = 0;
        for (long thread : threads) {
            all = all << THREAD_BITS | thread;
        }
        return new Key(page, all);
    }

    private static long packed(long controlWord) {
        return (long) PageControl.state(controlWord) << 4 | PageControl.used(controlWord);
    }

    /** Returns whether no thread is inside an operation. */
    boolean isQuiet() {
        return Arrays.stream(at).allMatch(where -> where == At.IDLE);
    }

    // ---- invariants ----

    /** Returns the violated invariant, or null. */
    @Nullable String problem() {
        if (released) {
            return null;
        }
        int free = Integer.bitCount(bitmap);
        int pendingFrees = count(At.FREE_SUMMARY, At.FREE_READ, At.FREE_CAS);
        int used = slots - free + pendingFrees
            + switch (at[OWNER]) {
                case CLAIM_STEP_READ, CLAIM_STEP_CAS -> -Integer.bitCount(moving);
                case GIVE_SUMMARY, GIVE_STEP_READ, GIVE_STEP_CAS -> Integer.bitCount(moving);
                default -> 0;
            };
        if (weakness == Weakness.NONE && PageControl.used(control) != used) {
            return "counts " + PageControl.used(control) + " used slots, not " + used;
        }
        int state = PageControl.state(control);
        boolean found = switch (state) {
            case PageControl.ACTIVE -> owned || at[OWNER] == At.ADOPT_UNLOCK;
            case PageControl.FULL -> free == 0 || pendingFrees > 0;
            case PageControl.LISTING -> count(At.LIST_LOCK, At.LIST_READ, At.LIST_CAS) == 1;
            case PageControl.LISTED -> listed;
            default -> count(At.UNLINK_LOCK, At.UNLINK, At.GONE_UNLOCK, At.RELEASE) == 1;
        };
        if (!found) {
            return "the page is lost";
        }
        return isQuiet() ? quietProblem(free, state) : null;
    }

    private @Nullable String quietProblem(int free, int state) {
        if (PageControl.used(control) != slots - free) {
            return "a quiet page counts wrongly";
        }
        for (int w = 0; w < 2; w++) {
            if ((bitmap & mask(w)) != 0 && (summary & 1 << w) == 0) {
                return "a free slot that the summary does not show";
            }
        }
        if (state == PageControl.LISTED && free == slots) {
            return "an empty page that is never given back";
        }
        boolean right = owned ? state == PageControl.ACTIVE && !listed
            : state == PageControl.FULL && !listed || state == PageControl.LISTED && listed;
        return right ? null : "a quiet page in a wrong state";
    }

    private int count(At... places) {
        int count = 0;
        for (At where : at) {
            count += Arrays.asList(places).contains(where) ? 1 : 0;
        }
        return count;
    }

    // ---- steps ----

    /** Passes on every state that one atomic step of one thread can reach; throws AssertionError for a broken step. */
    void expand(Consumer<PageModel> next) {
        for (int thread = 0; thread < at.length; thread++) {
            if (at[thread] != At.IDLE) {
                step(thread, next);
            } else if (thread != OWNER) {
                beginFree(thread, next);
            } else if (owned) {
                allocateOrAbandon(next);
            } else if (listed && !locked) {
                PageModel after = new PageModel(this);
                after.locked = true;
                after.at[OWNER] = At.ADOPT_READ;
                next.accept(after);
            }
        }
    }

    private void beginFree(int thread, Consumer<PageModel> next) {
        int inUse = (1 << slots) - 1 & ~bitmap & ~claimed & ~moving;
        for (int t = 1; t < at.length; t++) {
            inUse &= ~(at[t] == At.FREE_BIT ? 1 << slot[t] : 0);
        }
        for (int s = 0; s < slots && !released; s++) {
            if ((inUse & 1 << s) != 0) {
                PageModel after = new PageModel(this);
                after.slot[thread] = s;
                boolean countFirst = weakness == Weakness.COUNT_BEFORE_BIT;
                after.at[thread] = countFirst ? At.FREE_READ : At.FREE_BIT;
                next.accept(after);
            }
        }
    }

    private void allocateOrAbandon(Consumer<PageModel> next) {
        PageModel allocate = new PageModel(this);
        if (claimed != 0) {
            allocate.claimed &= claimed - 1;
        } else {
            allocate.at[OWNER] = At.CLAIM_READ;
        }
        next.accept(allocate);
        PageModel abandon = new PageModel(this);
        abandon.at[OWNER] = claimed != 0 ? At.GIVE_BIT : At.ABANDON_READ;
        next.accept(abandon);
    }

    private void step(int thread, Consumer<PageModel> next) {
        boolean wantsLock = at[thread] == At.LIST_LOCK || at[thread] == At.UNLINK_LOCK;
        if (wantsLock && locked) {
            return;
        }
        PageModel after = new PageModel(this);
        if (at[thread].compareTo(At.LIST_LOCK) >= 0) {
            after.stepList(thread);
        } else if (thread == OWNER) {
            after.touch();
            after.stepOwner();
        } else {
            after.touch();
            after.stepFree(thread);
        }
        after.forget(thread);
        next.accept(after);
    }

    private void touch() {
        if (released) {
            throw new AssertionError("a thread touches a page that was given back");
        }
    }

    /** Clears the values that a thread has read; they matter only until its CAS. */
    private void forget(int thread) {
        if (!at[thread].name().endsWith("_CAS")) {
            seen[thread] = 0;
        }
        if (at[thread] == At.IDLE) {
            slot[thread] = 0;
        }
    }

    private boolean cas(int thread, long update, At done, At again) {
        boolean won = control == seen[thread];
        if (won) {
            control = update;
        }
        at[thread] = won ? done : again;
        return won;
    }

    private void stepOwner() {
        switch (at[OWNER]) {
            case ADOPT_READ -> {
                seen[OWNER] = control;
                boolean goes = adopted(control) != PageControl.REFUSED;
                locked = goes;
                at[OWNER] = goes ? At.ADOPT_CAS : At.IDLE;
            }
            case ADOPT_CAS -> {
                if (cas(OWNER, adopted(seen[OWNER]), At.ADOPT_UNLOCK, At.ADOPT_READ)) {
                    listed = false;
                }
            }
            case ADOPT_UNLOCK -> {
                locked = false;
                owned = true;
                at[OWNER] = At.IDLE;
            }
            case CLAIM_READ, CLAIM_CLEAR, CLAIM_SWAP, CLAIM_STEP_READ, CLAIM_STEP_CAS -> stepClaim();
            case EXHAUST_READ -> {
                seen[OWNER] = control;
                at[OWNER] = exhausted(control) == PageControl.REFUSED ? At.CLAIM_READ : At.EXHAUST_CAS;
            }
            case EXHAUST_CAS -> {
                if (cas(OWNER, exhausted(seen[OWNER]), At.IDLE, At.CLAIM_READ)) {
                    owned = false;
                }
            }
            default -> stepAbandon();
        }
    }

    private void stepClaim() {
        boolean swapFirst = weakness == Weakness.SUMMARY_AFTER_EXCHANGE;
        switch (at[OWNER]) {
            case CLAIM_READ -> {
                word = Integer.numberOfTrailingZeros(summary) & 1;
                at[OWNER] = summary == 0 ? At.EXHAUST_READ : swapFirst ? At.CLAIM_SWAP : At.CLAIM_CLEAR;
            }
            case CLAIM_CLEAR -> {
                summary &= ~(1 << word);
                at[OWNER] = !swapFirst ? At.CLAIM_SWAP : moving == 0 ? At.CLAIM_READ : At.CLAIM_STEP_READ;
            }
            case CLAIM_SWAP -> {
                moving = bitmap & mask(word);
                bitmap &= ~mask(word);
                at[OWNER] = swapFirst ? At.CLAIM_CLEAR : moving == 0 ? At.CLAIM_READ : At.CLAIM_STEP_READ;
            }
            case CLAIM_STEP_READ -> {
                seen[OWNER] = control;
                at[OWNER] = At.CLAIM_STEP_CAS;
            }
            default -> {
                long update = PageControl.claimed(seen[OWNER], Integer.bitCount(moving));
                if (cas(OWNER, update, At.IDLE, At.CLAIM_STEP_READ)) {
                    claimed = moving & moving - 1;              // the lowest slot is handed out
                    moving = 0;
                    word = 0;
                }
            }
        }
    }

    private void stepAbandon() {
        switch (at[OWNER]) {
            case GIVE_BIT -> {
                word = wordOf(Integer.numberOfTrailingZeros(claimed));
                at[OWNER] = (bitmap & mask(word)) == 0 ? At.GIVE_SUMMARY : At.GIVE_STEP_READ;
                bitmap |= claimed;
                moving = claimed;
                claimed = 0;
            }
            case GIVE_SUMMARY -> {
                summary |= 1 << word;
                at[OWNER] = At.GIVE_STEP_READ;
            }
            case GIVE_STEP_READ -> {
                seen[OWNER] = control;
                at[OWNER] = At.GIVE_STEP_CAS;
            }
            case GIVE_STEP_CAS -> {
                long update = PageControl.claimed(seen[OWNER], -Integer.bitCount(moving));
                if (cas(OWNER, update, At.ABANDON_READ, At.GIVE_STEP_READ)) {
                    moving = 0;
                    word = 0;
                }
            }
            case ABANDON_READ -> {
                seen[OWNER] = control;
                at[OWNER] = At.ABANDON_CAS;
            }
            default -> {
                if (cas(OWNER, PageControl.abandoned(seen[OWNER]), At.LIST_LOCK, At.ABANDON_READ)) {
                    owned = false;
                }
            }
        }
    }

    private void stepFree(int thread) {
        int bit = 1 << slot[thread];
        switch (at[thread]) {
            case FREE_BIT -> {
                if ((bitmap & bit) != 0) {
                    throw new AssertionError("a slot is freed twice, or was handed out twice");
                }
                boolean wasEmpty = (bitmap & mask(wordOf(slot[thread]))) == 0;
                bitmap |= bit;
                boolean counted = weakness == Weakness.COUNT_BEFORE_BIT;
                at[thread] = wasEmpty ? At.FREE_SUMMARY : counted ? At.IDLE : At.FREE_READ;
            }
            case FREE_SUMMARY -> {
                summary |= 1 << wordOf(slot[thread]);
                at[thread] = weakness == Weakness.COUNT_BEFORE_BIT ? At.IDLE : At.FREE_READ;
            }
            case FREE_READ -> {
                seen[thread] = control;
                at[thread] = At.FREE_CAS;
            }
            default -> count(thread, bit);
        }
    }

    private void count(int thread, int bit) {
        long before = seen[thread];
        long after = PageControl.freed(before);
        if (control == before && after == PageControl.REFUSED) {
            throw new AssertionError("a page counts no used slot");
        }
        if (cas(thread, after, At.IDLE, At.FREE_READ)) {
            boolean moved = PageControl.state(before) != PageControl.state(after);
            if (PageControl.state(after) == PageControl.LISTING && (moved || weakness == Weakness.EVERY_FREER_LISTS)) {
                at[thread] = At.LIST_LOCK;
            } else if (moved) {
                at[thread] = At.UNLINK_LOCK;
            }
            if (weakness == Weakness.COUNT_BEFORE_BIT && at[thread] == At.IDLE) {
                at[thread] = At.FREE_BIT;
            } else if (weakness == Weakness.COUNT_BEFORE_BIT) {
                bitmap |= bit;
                summary |= 1 << wordOf(slot[thread]);
            }
        }
    }

    private void stepList(int thread) {
        touch();
        switch (at[thread]) {
            case LIST_LOCK -> {
                locked = true;
                at[thread] = At.LIST_READ;
            }
            case LIST_READ -> {
                seen[thread] = control;
                at[thread] = At.LIST_CAS;
            }
            case LIST_CAS -> {
                long update = listedWord(seen[thread]);
                boolean gone = PageControl.state(update) == PageControl.GONE;
                listed |= cas(thread, update, gone ? At.GONE_UNLOCK : At.LIST_UNLOCK, At.LIST_READ) && !gone;
            }
            case LIST_UNLOCK -> {
                locked = false;
                at[thread] = At.IDLE;
            }
            case UNLINK_LOCK -> {
                locked = true;
                at[thread] = At.UNLINK;
            }
            case UNLINK -> {
                if (!listed) {
                    throw new AssertionError("a page is taken off a list that it is not on");
                }
                listed = false;
                at[thread] = At.GONE_UNLOCK;
            }
            case GONE_UNLOCK -> {
                locked = false;
                at[thread] = At.RELEASE;
            }
            default -> {
                if (bitmap != (1 << slots) - 1) {
                    throw new AssertionError("a page with a used slot is given back");
                }
                released = true;
                at[thread] = At.IDLE;
            }
        }
    }

    // ---- rules and their weakened forms ----

    private long exhausted(long seenControl) {
        return weakness == Weakness.EXHAUSTED_IGNORES_USED
            ? PageControl.pack(PageControl.FULL, PageControl.used(seenControl))
            : PageControl.exhausted(seenControl, slots);
    }

    private long adopted(long seenControl) {
        return weakness == Weakness.ADOPT_GONE ? PageControl.pack(PageControl.ACTIVE, PageControl.used(seenControl))
            : PageControl.adopted(seenControl);
    }

    private long listedWord(long seenControl) {
        return weakness == Weakness.LISTER_IGNORES_EMPTY
            ? PageControl.pack(PageControl.LISTED, PageControl.used(seenControl)) : PageControl.listed(seenControl);
    }

    /** Slot 0 has a bitmap word of its own, the others share one. */
    private static int wordOf(int slotIndex) {
        return slotIndex == 0 ? 0 : 1;
    }

    private int mask(int wordIndex) {
        return wordIndex == 0 ? 1 : (1 << slots) - 2;
    }

    @Override
    public String toString() {
        return "bitmap=" + Integer.toBinaryString(bitmap) + " summary=" + Integer.toBinaryString(summary) + " state="
            + PageControl.state(control) + " used=" + PageControl.used(control) + " listed=" + listed + " owned="
            + owned + " claimed=" + Integer.toBinaryString(claimed) + " threads=" + Arrays.toString(at);
    }
}
