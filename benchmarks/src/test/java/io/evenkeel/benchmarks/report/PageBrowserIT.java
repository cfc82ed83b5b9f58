/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The report in chromium, from a file. It is in a frame of the device's width, because a headless window is never as
 * narrow as a phone; a script beside the frame writes down how wide the page is inside.
 */
class PageBrowserIT {
    private static final Path SCREENSHOTS = Path.of(System.getProperty("screenshots", "target/screenshots"));
    private static final Pattern FOUND = Pattern.compile("data-found=\"(\\d+) px, (\\d+) charts, (\\d+) px\"");
    private static final String FRAME = """
            <body style="margin:0"><iframe style="border:0" width="%d" height="%d" srcdoc="%s"></iframe><script>
            const frame = document.querySelector('iframe');
            frame.onload = () => {
              const page = frame.contentDocument;
              page.querySelectorAll('details').forEach(each => each.open = true);
              const charts = [...page.querySelectorAll('svg')];
              document.body.dataset.found = page.documentElement.scrollWidth + ' px, ' + charts.length + ' charts, '
                + Math.round(Math.min(...charts.map(each => each.getBoundingClientRect().width))) + ' px';
            };
            </script></body>
            """;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"desktop, 1280, 800", "phone, 390, 844"})
    void nothingScrollsSidewaysAndAllChartsAreShown(String device, int width, int height) throws Exception {
        Path page = dir.resolve("frame.html");
        Files.writeString(page, FRAME.formatted(width, height, Html.escape(SamplePage.html())));
        String seen = chromium("--dump-dom", page.toUri().toString());
        Matcher found = FOUND.matcher(seen);
        assertThat(found.find()).as(seen).isTrue();
        assertThat(Integer.parseInt(found.group(1))).as("width of the page").isLessThanOrEqualTo(width);
        assertThat(Integer.parseInt(found.group(2))).as("charts").isGreaterThan(10);
        assertThat(Integer.parseInt(found.group(3))).as("narrowest chart").isGreaterThan(width / 5);
        Path screenshot = Files.createDirectories(SCREENSHOTS).resolve("report-" + device + ".png");
        chromium("--screenshot=" + screenshot.toAbsolutePath(), page.toUri().toString());
        assertThat(screenshot).isNotEmptyFile();
    }

    private String chromium(String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(
                                System.getProperty("chromium", "chromium"),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-background-networking",
                                "--window-size=1280,900",
                                "--virtual-time-budget=5000",
                                "--user-data-dir=" + dir.resolve("profile")),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
