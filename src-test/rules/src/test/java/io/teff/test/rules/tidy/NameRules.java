package io.teff.test.rules.tidy;

import io.teff.test.rules.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names in documents that no longer exist: classes, packages, constants and states, commands, properties, files.
 *
 * <p>Checks words in backticks, and commands also in fences. A class may be this project's, the JDK's, or one that its
 * Java files mention; so a page that still has the old name of a renamed element is found.
 */
final class NameRules {
    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```\\s*$");
    private static final Pattern COMMAND = Pattern.compile(
        "\\./teff(?: --plain)? ([a-z][a-z-]*)(?: ([a-z][a-z-]*)\\b)?");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final Pattern CLASS = Pattern.compile(
        "([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.([A-Za-z]\\w*))?(?:\\(.*\\))?");
    private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*");
    private static final Pattern PACKAGE = Pattern.compile("io\\.teff(?:\\.[A-Za-z][A-Za-z0-9]*)+");
    private static final Pattern PROPERTY = Pattern.compile("-D(teff\\.[A-Za-z.]+)");
    private static final Pattern FILE = Pattern.compile(
        "(?:engine|cluster|rdma|nio|recovery|examples|src-test|docs|\\.ci)/[\\w./-]*\\w/?");
    /** Words of other projects' interfaces that pages mention. */
    private static final Set<String> FOREIGN = Set.of("LONG_DELTA", "SO_REUSEPORT", "SERVER_JVMFLAGS",
        "CLIENT_JVMFLAGS", "CATALINA_OPTS", "NIOServerCnxnFactory", "NettyServerCnxnFactory", "ClientCnxnSocketNIO",
        "Http11NioProtocol");
    /** Commands whose second word is an argument. */
    private static final Set<String> WITHOUT_SUBCOMMANDS = Set.of("test", "run", "demo", "build", "crash", "soak");

    private final Set<String> words = new HashSet<>();
    private final Map<String, Boolean> commands = new HashMap<>();
    private final Map<String, Boolean> packages = new HashMap<>();
    private final Set<String> properties;
    private final String sources;

    private NameRules(String sources) {
        this.sources = sources;
        WORD.matcher(sources).results().forEach(match -> words.add(match.group()));
        properties = new HashSet<>();
        Pattern.compile("teff\\.[A-Za-z.]+[A-Za-z]").matcher(sources).results()
            .forEach(match -> properties.add(match.group()));
    }

    /** {@return the rules, with the names of this repository and of the JDK} */
    static NameRules ofRepository() {
        StringBuilder all = new StringBuilder();
        for (Path path : Repository.files(".java", ".xml", "teff", "run", ".py", ".tsv", ".proto")) {
            all.append('\n').append(path).append('\n').append(Repository.read(path));
        }
        NameRules rules = new NameRules(all.toString());
        for (Path path : Repository.files("")) {
            for (Path part : path) {
                WORD.matcher(part.toString()).results().forEach(match -> rules.words.add(match.group()));
            }
        }
        rules.addJdk();
        return rules;
    }

    /** {@return rules that know the words of a text, for tests} */
    static NameRules of(String sources) {
        return new NameRules(sources);
    }

    private void addJdk() {
        ModuleFinder.ofSystem().findAll().forEach(module -> {
            try (ModuleReader reader = module.open(); Stream<String> names = reader.list()) {
                names.filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(name.lastIndexOf('/') + 1, name.length() - ".class".length()))
                    .flatMap(name -> Stream.of(name.split("\\$"))).forEach(words::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Every stale name of one page. */
    List<Finding> check(String path, String text) {
        List<Finding> findings = new ArrayList<>();
        String prose = FENCE.matcher(text).replaceAll(match -> match.group().replaceAll("[^\\n]", " "));
        for (MatchResult match : CODE.matcher(prose).results().toList()) {
            stale(match.group(1)).forEach(message -> findings.add(finding(path, text, match.start(), message)));
        }
        for (MatchResult match : COMMAND.matcher(text).results().toList()) {
            if (!isCommand(match.group(1), match.group(2))) {
                findings.add(finding(path, text, match.start(), match.group() + ": no such command"));
            }
        }
        for (MatchResult match : PROPERTY.matcher(text).results().toList()) {
            if (!properties.contains(match.group(1))) {
                findings.add(finding(path, text, match.start(), match.group() + ": no such property"));
            }
        }
        return findings;
    }

    private List<String> stale(String code) {
        List<String> messages = new ArrayList<>();
        if (CLASS.matcher(code).matches()) {
            for (String part : code.replaceAll("\\(.*", "").split("\\.")) {
                if (!words.contains(part) && !FOREIGN.contains(part)) {
                    messages.add(code + ": " + part + " is in no source");
                }
            }
        } else if (CONSTANT.matcher(code).matches()) {
            if (!words.contains(code) && !FOREIGN.contains(code)) {
                messages.add(code + ": in no source");
            }
        } else if (PACKAGE.matcher(code).matches()) {
            if (!isPackageOrClass(code)) {
                messages.add(code + ": no such package, module or class");
            }
        } else if (FILE.matcher(code).matches() && !isMadeByABuild(code)
            && !Files.exists(Repository.root().resolve(code))) {
            messages.add(code + ": no such file");
        }
        return messages;
    }

    private static boolean isMadeByABuild(String path) {
        return path.contains("/target/") || path.contains("/NNNN-");
    }

    private boolean isPackageOrClass(String name) {
        return packages.computeIfAbsent(name, this::findPackageOrClass);
    }

    private boolean findPackageOrClass(String name) {
        String folder = name.replace('.', '/');
        return has(name, Pattern.compile("\\b" + Pattern.quote(name) + "\\b(?!\\.[a-z])"))
            || has(folder, Pattern.compile("\\b" + Pattern.quote(folder)));
    }

    /** Returns whether a pattern matches at one of the places of a text with which it begins. */
    private boolean has(String beginning, Pattern pattern) {
        Matcher matcher = pattern.matcher(sources).useTransparentBounds(true).useAnchoringBounds(false);
        int at = sources.indexOf(beginning);
        while (at >= 0 && !matcher.region(at, sources.length()).lookingAt()) {
            at = sources.indexOf(beginning, at + 1);
        }
        return at >= 0;
    }

    private boolean isCommand(String command, String next) {
        return hasCommand(command)
            && (next == null || WITHOUT_SUBCOMMANDS.contains(command) || hasCommand(next) || words.contains(next));
    }

    private boolean hasCommand(String name) {
        return commands.computeIfAbsent(name, this::findCommand);
    }

    private boolean findCommand(String name) {
        if (sources.contains('"' + name + '"')) {
            return true;
        }
        String annotated = "name = \"(teff )?(bench )?" + name + "\"";
        String inLauncher = "^ +" + name + "( \\||\\))|^  " + name + " ";
        return Pattern.compile(annotated + '|' + inLauncher, Pattern.MULTILINE).matcher(sources).find();
    }

    private static Finding finding(String path, String text, int at, String message) {
        return new Finding(path, 1 + (int) text.substring(0, at).chars().filter(c -> c == '\n').count(), message);
    }
}
