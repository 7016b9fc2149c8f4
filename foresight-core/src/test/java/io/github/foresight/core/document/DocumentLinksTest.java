/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README and the pages under {@code docs} link to files of the source tree that exist. */
class DocumentLinksTest {

    /** A link without a scheme, up to its fragment. */
    private static final Pattern LINK = Pattern.compile("]\\((?![a-z]+:|#)([^)#\\s]+)");

    @Test
    void links_nameFiles() {
        for (Path page : Documents.all()) {
            List<Path> targets = LINK.matcher(Documents.text(page))
                    .results()
                    .map((MatchResult link) -> page.resolveSibling(link.group(1)))
                    .collect(Collectors.toList());
            assertThat(targets).as("links of %s", page).allSatisfy(target -> assertThat(target)
                    .exists());
        }
    }
}
