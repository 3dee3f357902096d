package io.teff.test.rules.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Rules about the shape of a file, on the syntax tree that the JDK's own parser makes of it. */
final class ShapeRules {
    static final int METHOD_LINES_MAX = 70;

    private final CompilationUnitTree unit;
    private final SourceFile file;
    private final SourcePositions positions;

    private ShapeRules(CompilationUnitTree unit, SourceFile file, SourcePositions positions) {
        this.unit = unit;
        this.file = file;
        this.positions = positions;
    }

    /** Parses the files together and checks each of them. */
    static List<Finding> check(List<SourceFile> files) {
        List<Finding> findings = new ArrayList<>();
        Map<URI, SourceFile> byUri = new HashMap<>();
        files.forEach(file -> byUri.put(InMemory.uri(file), file));
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(
                null, null, diagnostic -> {}, List.of("-proc:none"), null,
                files.stream().map(InMemory::new).toList());
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                SourceFile file = byUri.get(unit.getSourceFile().toUri());
                findings.addAll(new ShapeRules(unit, file, positions).findings());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return findings;
    }

    /** Folders of main code without a package page. */
    static List<Finding> packagePages(Collection<SourceFile> files) {
        Set<String> pages = new HashSet<>();
        Set<String> folders = new HashSet<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.name().equals("module-info.java")) {
                (file.name().equals("package-info.java") ? pages : folders).add(file.folder());
            }
        }
        folders.removeAll(pages);
        return folders.stream()
                .sorted()
                .map(folder -> new Finding(folder, 1, "a package without package-info.java"))
                .toList();
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        List<? extends Tree> types = unit.getTypeDecls();
        if (types.size() > 1) {
            findings.add(at(types.get(1), "a second top-level type"));
        }
        if (file.isMain()) {
            Tree first = file.name().equals("module-info.java") ? unit.getModule()
                    : file.name().equals("package-info.java") ? unit.getPackage()
                    : types.isEmpty() ? null : types.get(0);
            if (first != null && !hasComment(positions.getStartPosition(unit, first))) {
                findings.add(at(first, "no comment that says what this is"));
            }
        }
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                long count = line(positions.getEndPosition(unit, method)) - lineOf(method) + 1;
                if (count > METHOD_LINES_MAX) {
                    findings.add(at(method, method.getName() + ": " + count + " lines, at most " + METHOD_LINES_MAX));
                }
                return super.visitMethod(method, nothing);
            }
        }.scan(unit, null);
        return findings;
    }

    /** True if a documentation comment, of either kind, ends right before the position. */
    private boolean hasComment(long position) {
        String before = file.text().substring(0, (int) position).stripTrailing();
        if (before.endsWith("*/")) {
            return before.startsWith("/**", before.lastIndexOf("/*"));
        }
        return before.substring(before.lastIndexOf('\n') + 1).strip().startsWith("///");
    }

    private Finding at(Tree tree, String message) {
        return new Finding(file.path(), (int) lineOf(tree), message);
    }

    private long lineOf(Tree tree) {
        return line(positions.getStartPosition(unit, tree));
    }

    private long line(long position) {
        LineMap lines = unit.getLineMap();
        return lines.getLineNumber(position);
    }

    /** A source the compiler reads from memory. */
    private static final class InMemory extends SimpleJavaFileObject {
        private final SourceFile file;

        InMemory(SourceFile file) {
            super(uri(file), JavaFileObject.Kind.SOURCE);
            this.file = file;
        }

        static URI uri(SourceFile file) {
            return URI.create("memory:///" + file.path());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return file.text();
        }
    }
}
