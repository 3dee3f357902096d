package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the test runner has reported of one class of tests.
 *
 * @param lane the lane for which the class counts
 * @param module the folder of the class' module
 * @param name the simple name of the class
 * @param seconds the time of the class by the clock
 */
record ClassReport(String lane, String module, String name, long tests, long failed, long skipped, double seconds) {
    private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>", Pattern.DOTALL);
    private static final String REPORTS = "surefire-reports";
    private static final int HEAD_CHARS = 8192;

    /** Returns the folders of a module's reports, one for each run of its tests. */
    static List<Path> folders(Module module) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(module.target())) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(module.target(), REPORTS + "*")) {
                folders.forEach(found::add);
            }
        }
        return found;
    }

    /** Returns all reports of a module. */
    static List<ClassReport> of(Module module) throws IOException {
        List<ClassReport> found = new ArrayList<>();
        for (Path folder : folders(module)) {
            String lane = lane(module, folder.getFileName().toString().substring(REPORTS.length()));
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "TEST-*.xml")) {
                for (Path file : files) {
                    Matcher suite = SUITE.matcher(head(file));
                    if (suite.find()) {
                        found.add(report(lane, module, suite.group()));
                    }
                }
            }
        }
        return found;
    }

    private static String lane(Module module, String suffix) {
        return switch (suffix) {
            case "-plain" -> Lanes.PLAIN;
            case "-system" -> Lanes.SYSTEM;
            default -> module.lane();
        };
    }

    private static String head(Path file) throws IOException {
        char[] head = new char[HEAD_CHARS];
        try (var reader = Files.newBufferedReader(file)) {
            return new String(head, 0, Math.max(0, reader.read(head)));
        }
    }

    private static ClassReport report(String lane, Module module, String element) {
        String name = value(element, "name");
        return new ClassReport(lane, module.folder(), name.substring(name.lastIndexOf('.') + 1),
            Math.round(number(element, "tests")),
            Math.round(number(element, "failures") + number(element, "errors")),
            Math.round(number(element, "skipped")), number(element, "time"));
    }

    private static String value(String element, String attribute) {
        Matcher found = Pattern.compile("\\s" + attribute + "=\"([^\"]*)\"").matcher(element);
        return found.find() ? found.group(1) : "";
    }

    private static double number(String element, String attribute) {
        String text = value(element, attribute).replace(",", "");
        return text.isEmpty() ? 0 : Double.parseDouble(text);
    }
}
