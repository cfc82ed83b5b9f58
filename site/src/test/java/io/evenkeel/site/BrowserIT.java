/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The built site in a real browser, from files, as somebody without a network reads it. */
class BrowserIT {
    private static final Path SITE = Path.of(System.getProperty("site"));
    private static final Path SCREENSHOTS = Path.of(System.getProperty("screenshots"));

    @TempDir
    static Path profile;

    private static Chromium chromium;

    @BeforeAll
    static void startChromium() throws IOException {
        chromium = new Chromium(profile);
    }

    @AfterAll
    static void stopChromium() {
        if (chromium != null) {
            chromium.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"desktop, 1280, 800, false, light", "phone, 390, 844, true, dark"})
    void noPageIsTooWideOrHasAnErrorOrAsksTheNetwork(String device, int width, int height, boolean phone, String scheme)
            throws IOException {
        chromium.size(width, height, phone, scheme);
        Set<String> wrong = new TreeSet<>();
        List<Path> pages = pages();
        assertThat(pages).hasSizeGreaterThan(25);
        for (Path page : pages) {
            chromium.open(page.toUri().toString());
            String name = SITE.relativize(page).toString();
            int wide = chromium.evaluate("document.documentElement.scrollWidth").asInt();
            if (wide > width) {
                wrong.add(name + " is " + wide + " px wide");
            }
            chromium.complaints().forEach(complaint -> wrong.add(name + ": " + complaint));
            chromium.requestsToOthers().forEach(url -> wrong.add(name + " asks for " + url));
            chromium.screenshot(
                    SCREENSHOTS.resolve(device + "-" + name.replace('/', '-').replace(".html", ".png")));
        }
        assertThat(wrong).isEmpty();
    }

    /** As the browser resolves them, with the anchors that it finds. */
    @Test
    void everyLinkLeadsToAFileAndAnAnchor() throws IOException {
        Map<String, Set<String>> anchors = new HashMap<>();
        Map<String, Set<String>> pagesByLink = new HashMap<>();
        for (Path page : pages()) {
            String url = page.toUri().toString();
            chromium.open(url);
            anchors.put(url, strings("[...document.querySelectorAll('[id]')].map(e => e.id)"));
            for (String link : strings("[...document.querySelectorAll('a[href]')].map(a => a.href)")) {
                pagesByLink
                        .computeIfAbsent(link, key -> new TreeSet<>())
                        .add(SITE.relativize(page).toString());
            }
        }
        Set<String> wrong = new TreeSet<>();
        pagesByLink.forEach((link, pages) -> {
            String[] parts = link.split("#", 2);
            boolean isOurs = link.startsWith("file:");
            if (isOurs && !Files.isRegularFile(Path.of(URI.create(parts[0])))) {
                wrong.add(link + " of " + pages);
            } else if (isOurs
                    && parts.length == 2
                    && !anchors.getOrDefault(parts[0], Set.of()).contains(parts[1])) {
                wrong.add(link + " of " + pages + ": no such anchor");
            }
        });
        assertThat(pagesByLink).hasSizeGreaterThan(200);
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "desktop, 1280, false, light, lazytime, docs/operations.html",
        "phone, 390, true, dark, tiered.ssd.copy.interval.ms, docs/configuration.html#tieredssdcopyintervalms",
    })
    void searchFindsAWordAndLeadsToItsPage(
            String device, int width, boolean phone, String scheme, String word, String url) throws IOException {
        chromium.size(width, 800, phone, scheme);
        chromium.open(SITE.resolve("docs/adr/index.html").toUri().toString());
        chromium.evaluate("document.getElementById('search').focus()");
        chromium.type(word);
        chromium.await("document.querySelectorAll('#results a').length > 0");
        assertThat(chromium.evaluate("document.querySelector('#results mark').textContent")
                        .asText())
                .isEqualToIgnoringCase(word);
        chromium.screenshot(SCREENSHOTS.resolve("search-" + device + ".png"));

        chromium.evaluate(
                "[...document.querySelectorAll('#results a')].find(a => a.href.includes('" + url + "')).click()");

        chromium.await("location.href.includes('" + url + "') && document.readyState === 'complete'");
        assertThat(chromium.evaluate("document.querySelector('article').textContent")
                        .asText())
                .contains(word);
    }

    @Test
    void searchSaysWhenItFindsNothingAndEnterOpensTheFirstResult() throws IOException {
        chromium.size(1280, 800, false, "light");
        chromium.open(SITE.resolve("index.html").toUri().toString());
        chromium.press("/", 191);
        chromium.type("xyzzy");
        chromium.await("document.querySelector('#results .none') !== null");
        chromium.evaluate("document.getElementById('search').select()");
        chromium.type("Soak");
        chromium.await("document.querySelectorAll('#results a').length > 0");
        chromium.evaluate("document.querySelector('form').requestSubmit()");
        chromium.await("location.href.endsWith('docs/reliability.html#soak')");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void theMenuOpensOnAPhone() throws IOException {
        chromium.size(390, 844, true, "light");
        chromium.open(SITE.resolve("docs/faq.html").toUri().toString());
        String shown = "getComputedStyle(document.getElementById('navigation')).display !== 'none'";
        assertThat(chromium.evaluate(shown).asBoolean()).isFalse();
        chromium.evaluate("document.querySelector('.menu').click()");
        chromium.await(shown);
        chromium.screenshot(SCREENSHOTS.resolve("menu-phone.png"));
        chromium.evaluate("document.querySelector('.close').click()");
        chromium.await("!(" + shown + ")");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(SITE)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
    }

    private static Set<String> strings(String script) {
        Set<String> strings = new HashSet<>();
        for (JsonNode node : chromium.evaluate(script)) {
            strings.add(node.asText());
        }
        return strings;
    }
}
