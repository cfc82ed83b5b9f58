/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/** The words of every section, for {@code search.js}. */
final class SearchIndex {
    /** From one heading to the next. */
    private record Section(String url, String page, String heading, String text) {}

    private final List<Section> sections = new ArrayList<>();

    void add(Page page) {
        String title = page.title().orElse("");
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (Node block = page.document().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Heading) {
                addSection(page, title, next - 1, text);
                text = new StringBuilder();
                next++;
            } else {
                text.append(PageText.of(block)).append(' ');
            }
        }
        addSection(page, title, next - 1, text);
    }

    private void addSection(Page page, String title, int heading, StringBuilder text) {
        if (heading >= 0) {
            Page.PageHeading begin = page.headings().get(heading);
            String anchor = begin.node().getLevel() == 1 ? "" : "#" + begin.anchor();
            sections.add(new Section(
                    page.output() + anchor, title, begin.text(), text.toString().strip()));
        }
    }

    /** A script, because a page that is opened as a file may not read another file as data. */
    String script() throws JsonProcessingException {
        return "window.searchIndex = " + new ObjectMapper().writeValueAsString(sections) + ";\n";
    }
}
