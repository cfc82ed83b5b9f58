/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.site;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/** The words of a part of a page, without any markup. */
final class PageText {
    private PageText() {}

    static String of(Node node) {
        StringBuilder words = new StringBuilder();
        append(node, words);
        return words.toString().replaceAll("\\s+", " ").strip();
    }

    private static void append(Node node, StringBuilder words) {
        if (node instanceof Text text) {
            words.append(text.getLiteral());
        } else if (node instanceof Code code) {
            words.append(code.getLiteral());
        } else if (node instanceof FencedCodeBlock block) {
            words.append(block.getLiteral());
        } else if (node instanceof IndentedCodeBlock block) {
            words.append(block.getLiteral());
        } else if (node instanceof SoftLineBreak || node instanceof HardLineBreak) {
            words.append(' ');
        }
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            append(child, words);
        }
        if (node instanceof Block || node instanceof TableCell) {
            words.append(' ');
        }
    }
}
