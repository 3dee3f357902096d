package io.teff.tools.heap;

import io.teff.engine.config.Limits;
import io.teff.engine.report.HeapPlan;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.UsageOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code heap plan} command: the memory that planned chunks will take. */
@Command(
    name = "plan",
    description = {
        "Computes the memory that planned chunks will take, from the size classes of a store.",
        "A load is COUNTxBYTES or COUNTxMIN-MAX, where all lengths are equally frequent: 10Mx16-128, 1000x64k, 2Gx32. "
            + "k, M, G and T are powers of 1,000 in a count; k, m, g and t are powers of 1,024 in a size in bytes."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the plan was printed", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff heap plan 10Mx16-128 1000x64k",
    sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    /** Converted in {@link #plan}: picocli reports a second load that it cannot convert as an unknown argument. */
    @Parameters(arity = "1..*", paramLabel = "LOAD", description = "Planned chunks; several loads share one store.")
    private List<String> loads = List.of();

    @Option(names = "--json", description = "Write the plan as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @ParentCommand
    private @Nullable HeapCommand parent;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        String misplaced = parent == null ? null : parent.optionNotForPlan();
        if (misplaced != null) {
            throw new ParameterException(spec.commandLine(), misplaced + " precedes plan, which takes its options "
                + "behind its name");
        }
        HeapPlan plan = plan();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonDocument.write(plan));
        } else {
            write(plan, out);
        }
        out.flush();
        return HeapCommand.EXIT_GOOD;
    }

    private HeapPlan plan() {
        try {
            LoadForm form = new LoadForm();
            return HeapPlan.of(loads.stream().map(form::convert).toList());
        } catch (IllegalArgumentException | TypeConversionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static void write(HeapPlan plan, PrintWriter out) {
        out.println(Figures.text("PLAN  %s chunks", Figures.count(plan.chunks())));
        row(out, "payload", plan.payloadBytes(), plan);
        row(out, "table", plan.tableBytes(), plan);
        row(out, "slot waste", plan.wasteBytes(), plan);
        row(out, "page headers", plan.headerBytes(), plan);
        row(out, "free slots", plan.freeSlotBytes(), plan);
        row(out, "in all", plan.usedBytes(), plan);
        out.println(Figures.text("  %.2f B per chunk beyond its payload; each additional thread that creates chunks "
            + "adds up to %s", plan.overheadPerChunk(), Figures.bytes(plan.furtherThreadBytes())));
        if (!plan.fitsOneStore()) {
            out.println(Figures.text("  one store cannot hold that: its memory limit is at most %s",
                Figures.bytes(Limits.MEMORY_BYTES_MAX)));
        }
    }

    private static void row(PrintWriter out, String name, long bytes, HeapPlan plan) {
        out.println(Figures.text("  %-13s %13s %,26d B %12.2f B per chunk", name, Figures.bytes(bytes), bytes,
            (double) bytes / Math.max(plan.chunks(), 1)));
    }
}
