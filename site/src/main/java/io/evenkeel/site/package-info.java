/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes the documentation site: every Markdown page of the repository becomes an HTML page at the same relative path.
 *
 * <p>{@code docs/README.md} is the navigation. {@link io.evenkeel.site.SiteBuild} fails when a page is missing there,
 * or when a link or an anchor leads nowhere; so the site's build is also the check of all links.
 */
@NullMarked
package io.evenkeel.site;

import org.jspecify.annotations.NullMarked;
