/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this repository, and of small ones in which something is wrong. */
class SiteTest {
    @TempDir
    Path directory;

    @Test
    void allPagesOfTheRepositoryAreThereAndTheirLinksLeadSomewhere() throws IOException {
        SiteBuild.build(Path.of(".."), directory, "1.2.3");

        assertThat(directory.resolve("index.html")).content().contains("1.2.3/index.html");
        assertThat(directory.resolve("1.2.3/docs/operations.html"))
                .content()
                .contains("<title>Operations – Evenkeel 1.2.3</title>")
                .contains("<h2 id=\"install\">")
                .contains("href=\"tool.html#drain\"")
                .contains("href=\"../index.html#install\"")
                .contains("<a href=\"agent.html\">The agent</a> describes");
        assertThat(directory.resolve("1.2.3/docs/adr/0001-agent-instead-of-fork.html"))
                .exists();
        assertThat(directory.resolve("1.2.3/docs/concepts.html")).content().contains("<svg ");
        assertThat(directory.resolve("1.2.3/search-index.js")).content().contains("tiered.ssd.copy.interval.ms");
    }

    @Test
    void allThatIsWrongIsNamedAtOnce() throws IOException {
        page("docs/README.md", "# Index\n\n- [A](a.md)\n");
        page("docs/a.md", """
                # A

                [1](b.md) [2](a.md#nowhere) [3](../docs/a.md#a) [4](gone.txt) ![5](gone.png) [6](..)
                """);
        page("docs/untitled.md", "text\n");

        assertThatIllegalStateException()
                .isThrownBy(this::build)
                .withMessageContaining("docs/untitled.md is not in the navigation")
                .withMessageContaining("docs/untitled.md has no title")
                .withMessageContaining("docs/a.md: b.md leads to nothing")
                .withMessageContaining("docs/a.md: a.md#nowhere leads to no heading of docs/a.md")
                .withMessageContaining("docs/a.md: gone.txt leads to nothing")
                .withMessageContaining("docs/a.md: gone.png leads to nothing")
                .withMessageContaining("docs/a.md: .. leads to nothing")
                .satisfies(refused -> assertThat(refused).message().hasLineCount(8));
        assertThat(directory.resolve("site")).doesNotExist();
    }

    @Test
    void withoutAnIndexThereIsNoSite() throws IOException {
        page("docs/a.md", "# A\n");

        assertThatIllegalStateException().isThrownBy(this::build).withMessageContaining("docs/README.md is missing");
    }

    @Test
    void anchorsAreThoseOfGitHub() throws IOException {
        page("docs/README.md", "# Index\n\n- [A](a.md)\n");
        page("docs/a.md", """
                # What's `a.b_c`, and why?

                ## Twice

                ## Twice

                [1](#whats-ab_c-and-why) [2](#twice) [3](#twice-1)
                """);

        build();

        assertThat(directory.resolve("site/v/docs/a.html"))
                .content()
                .contains("<h1 id=\"whats-ab_c-and-why\">", "<h2 id=\"twice\">", "<h2 id=\"twice-1\">");
    }

    @Test
    void pagesBelowAReadmeAreInTheNavigationAndOtherFilesComeAlong() throws IOException {
        page("docs/README.md", "# Index\n\n- [Decisions](adr)\n- [Top](../README.md)\n");
        page("docs/adr/README.md", "# Decisions\n\n1. [First](1.md)\n");
        page("docs/adr/1.md", "# First\n\n[code](../../src/a.c) ![picture](p.png)\n");
        page("README.md", "# Top\n");
        page("src/a.c", "int a;\n");
        page("docs/adr/p.png", "png");
        page("target/x.md", "what a build has made\n");

        build();

        assertThat(directory.resolve("site/v/docs/adr/1.html"))
                .content()
                .contains("href=\"../../src/a.c.txt\"", "src=\"p.png\"", "aria-current=\"page\">First");
        assertThat(directory.resolve("site/v/index.html")).content().contains("href=\"docs/adr/index.html\"");
        assertThat(directory.resolve("site/v/src/a.c.txt")).hasContent("int a;\n");
        assertThat(directory.resolve("site/v/docs/adr/p.png")).exists();
        assertThat(directory.resolve("site/v/target")).doesNotExist();
    }

    @Test
    void textIsEscaped() throws IOException {
        page("docs/README.md", "# Index & more\n\n- [A <b>](a.md)\n");
        page("docs/a.md", "# A `<b>` \"c\"\n");

        build();

        assertThat(directory.resolve("site/v/docs/a.html"))
                .content()
                .contains("<title>A &lt;b&gt; &quot;c&quot; – Evenkeel v</title>");
        assertThat(directory.resolve("site/v/search-index.js")).content().contains("\"A <b> \\\"c\\\"\"");
    }

    private void page(String path, String text) throws IOException {
        Path file = directory.resolve("repository").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void build() throws IOException {
        SiteBuild.build(directory.resolve("repository"), directory.resolve("site"), "v");
    }
}
