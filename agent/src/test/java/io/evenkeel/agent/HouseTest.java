/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** How large a file, a method, a package and a line may be, in all modules. */
class HouseTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_FILE_LINES = 300;
    private static final int MAX_METHOD_LINES = 45;
    private static final int MAX_PACKAGE_CLASSES = 25;
    private static final int MAX_COLUMNS = 120;
    private static final Pattern FUNCTION = Pattern.compile("^\\s*([A-Za-z_][\\w-]*) ?\\(\\)", Pattern.MULTILINE);
    private static final Pattern CALL = Pattern.compile("^\\s*([a-z]+(?:_[a-z]+)+)(?=[ \\t]|$)", Pattern.MULTILINE);

    /** Written by tests of their own, or by others. */
    private static final Set<String> NOT_WRITTEN_BY_HAND =
            Set.of("docs/hooks.md", "docs/configuration.md", "docs/metrics.md", "mvnw");

    @Test
    void noClassFileIsTooLong() throws IOException {
        Set<String> tooLong = new TreeSet<>();
        for (Path file : mainSources()) {
            if (lines(file).size() > MAX_FILE_LINES) {
                tooLong.add(name(file));
            }
        }
        assertNone(tooLong, "class files of more than " + MAX_FILE_LINES + " lines");
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        Set<String> tooLong = new TreeSet<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    files,
                    problem -> {},
                    List.of("-proc:none"),
                    null,
                    files.getJavaFileObjectsFromPaths(mainSources()));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                methodsOf(unit, positions)
                        .map(method -> name(Path.of(unit.getSourceFile().getName())) + " " + method)
                        .forEach(tooLong::add);
            }
        }
        assertNone(tooLong, "methods of more than " + MAX_METHOD_LINES + " lines");
    }

    /** The names of the methods that are too long; methods of nested and anonymous classes are among them. */
    private static Stream<String> methodsOf(CompilationUnitTree unit, SourcePositions positions) {
        LineMap lines = unit.getLineMap();
        Stream.Builder<String> tooLong = Stream.builder();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void none) {
                long end = positions.getEndPosition(unit, method);
                long begin = positions.getStartPosition(unit, method);
                if (end >= 0 && lines.getLineNumber(end) - lines.getLineNumber(begin) + 1 > MAX_METHOD_LINES) {
                    tooLong.add(method.getName().toString());
                }
                return super.visitMethod(method, null);
            }
        }.scan(unit, null);
        return tooLong.build();
    }

    @Test
    void noPackageHasTooManyClasses() throws IOException {
        Set<String> tooLarge = new TreeSet<>();
        mainSources().stream()
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(groupingBy(file -> name(file.resolveSibling("")), counting()))
                .forEach((directory, classes) -> {
                    if (classes > MAX_PACKAGE_CLASSES) {
                        tooLarge.add(directory + " (" + classes + ")");
                    }
                });
        assertNone(tooLarge, "packages of more than " + MAX_PACKAGE_CLASSES + " classes");
    }

    @Test
    void noLineIsTooLong() throws IOException {
        Set<String> tooLong = new TreeSet<>();
        for (Path file : files(HouseTest::isWrittenByHand)) {
            List<String> lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (line.codePointCount(0, line.length()) > MAX_COLUMNS && !mayBeLong(line, file)) {
                    tooLong.add(name(file) + ":" + (i + 1));
                }
            }
        }
        assertNone(tooLong, "lines of more than " + MAX_COLUMNS + " columns");
    }

    /**
     * shellcheck does not know what a script sources. An underscore is in all names of functions that scripts share.
     */
    @Test
    void scriptsCallOnlyFunctionsThatExist() throws IOException {
        Map<String, String> scripts = new TreeMap<>();
        for (Path file : files(file -> name(file).matches(".*\\.(bash|sh)") || isScript(file))) {
            scripts.put(name(file), Files.readString(file));
        }
        Set<String> known = scripts.values().stream()
                .flatMap(script -> FUNCTION.matcher(script).results())
                .map(match -> match.group(1))
                .collect(toSet());
        assertThat(known).contains("make_disk");
        Set<String> unknown = new TreeSet<>();
        scripts.forEach((name, script) -> CALL.matcher(script)
                .results()
                .map(match -> match.group(1))
                .filter(function -> !known.contains(function))
                .forEach(function -> unknown.add(name + " " + function)));
        assertNone(unknown, "calls of functions that no script defines");
    }

    /** URLs cannot be broken, nor the rows of tables. */
    private static boolean mayBeLong(String line, Path file) {
        boolean isTableRow = name(file).endsWith(".md") && line.startsWith("|");
        return isTableRow || line.contains("https://") || line.contains("http://");
    }

    private static boolean isWrittenByHand(Path file) {
        String name = name(file);
        return !NOT_WRITTEN_BY_HAND.contains(name)
                && (name.endsWith(".java") || name.endsWith(".md") || name.endsWith(".sh") || isScript(file));
    }

    private static boolean isScript(Path file) {
        try {
            return file.getFileName().toString().indexOf('.') < 0
                    && Files.isRegularFile(file)
                    && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).startsWith("#!");
        } catch (IOException e) {
            return false;
        }
    }

    /** Of all modules; the classes that take the place of Kafka's have source folders of their own. */
    private static Collection<Path> mainSources() throws IOException {
        return files(file -> name(file).matches("[^/]+/src/(?!test/)[^/]+/java/.*\\.java"));
    }

    private static Collection<Path> files(Predicate<Path> wanted) throws IOException {
        try (Stream<Path> entries = Files.list(ROOT)) {
            return entries.filter(entry -> !entry.getFileName().toString().startsWith("."))
                    .flatMap(HouseTest::below)
                    .filter(Files::isRegularFile)
                    .filter(wanted)
                    .sorted()
                    .toList();
        }
    }

    /** Without what builds have made. */
    private static Stream<Path> below(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        if (path.endsWith("target")) {
            return Stream.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.toList().stream().flatMap(HouseTest::below);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file);
    }

    private static String name(Path file) {
        return ROOT.toAbsolutePath()
                .normalize()
                .relativize(file.toAbsolutePath().normalize())
                .toString();
    }

    private static void assertNone(Set<String> found, String what) {
        assertThat(found).as(what).isEmpty();
    }
}
