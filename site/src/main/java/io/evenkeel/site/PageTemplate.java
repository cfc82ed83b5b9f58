/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.Heading;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/** Turns a page into HTML: its own text in the frame that all pages have. */
final class PageTemplate {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String frame = resource("page.html");
    private final Navigation navigation;
    private final String version;

    PageTemplate(Navigation navigation, String version) {
        this.navigation = navigation;
        this.version = version;
    }

    static String resource(String name) {
        try (InputStream in = PageTemplate.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }

    String html(Page page) {
        return fill(
                frame,
                Map.of(
                        "title", escape(page.title().orElse("")),
                        "version", escape(version),
                        "root", "../".repeat(page.output().getNameCount() - 1),
                        "navigation", navigation(page),
                        "headings", headings(page),
                        "content", content(page),
                        "neighbours", neighbours(page)));
    }

    static String fill(String frame, Map<String, String> parts) {
        return PLACE.matcher(frame)
                .replaceAll(place -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(place.group(1)))));
    }

    private static String content(Page page) {
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(Repository.EXTENSIONS)
                .attributeProviderFactory(context -> anchors(page))
                .build();
        // A wide table scrolls by itself; the page does not. Code cannot contain these tags: it is escaped.
        return renderer.render(page.document())
                .replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>")
                .replace("</table>", "</table></div>")
                .replace("<pre>", "<pre tabindex=\"0\">");
    }

    private static AttributeProvider anchors(Page page) {
        return (node, tag, attributes) -> {
            if (node instanceof Heading) {
                page.headings().stream()
                        .filter(heading -> heading.node() == node)
                        .forEach(heading -> attributes.put("id", heading.anchor()));
            }
        };
    }

    private String navigation(Page page) {
        StringBuilder html = new StringBuilder();
        for (Navigation.Group group : navigation.groups()) {
            html.append("<h2>").append(escape(group.title())).append("</h2>\n");
            appendEntries(html, page, group.entries());
        }
        return html.toString();
    }

    private static void appendEntries(StringBuilder html, Page page, List<Navigation.Entry> entries) {
        html.append("<ul>\n");
        for (Navigation.Entry entry : entries) {
            html.append("<li>").append(link(page, entry.page(), entry.label()));
            // Those below are shown only where the reader is among them.
            if (!entry.below().isEmpty()
                    && page.source().startsWith(entry.page().source().resolveSibling(""))) {
                appendEntries(html, page, entry.below());
            }
            html.append("</li>\n");
        }
        html.append("</ul>\n");
    }

    private static String link(Page from, Page to, String label) {
        String current = from.equals(to) ? " aria-current=\"page\"" : "";
        return "<a href=\"" + escape(from.linkTo(to.output())) + "\"" + current + ">" + escape(label) + "</a>";
    }

    private static String headings(Page page) {
        StringBuilder html = new StringBuilder();
        for (Page.PageHeading heading : page.headings()) {
            int level = heading.node().getLevel();
            if (level == 2 || level == 3) {
                html.append("<li class=\"level%d\"><a href=\"#%s\">%s</a></li>\n"
                        .formatted(level, escape(heading.anchor()), escape(heading.text())));
            }
        }
        return html.isEmpty() ? "" : "<h2>On this page</h2>\n<ul>\n" + html + "</ul>\n";
    }

    private String neighbours(Page page) {
        List<Page> pages = navigation.pages();
        int place = pages.indexOf(page);
        StringBuilder html = new StringBuilder();
        if (place > 0) {
            Page before = pages.get(place - 1);
            html.append("<span>← ")
                    .append(link(page, before, before.title().orElse("")))
                    .append("</span>\n");
        }
        if (place >= 0 && place + 1 < pages.size()) {
            Page after = pages.get(place + 1);
            html.append("<span class=\"after\">")
                    .append(link(page, after, after.title().orElse("")))
                    .append(" →</span>\n");
        }
        return html.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
