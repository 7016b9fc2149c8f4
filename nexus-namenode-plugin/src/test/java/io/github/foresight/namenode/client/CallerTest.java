/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallerTest {

    private static final Set<Identity> CLIENT_AND_USER = EnumSet.of(Identity.CLIENT, Identity.USER);
    private static final String ROUTED = "job_7,clientIp:10.0.0.9,clientPort:4711,clientId:c9,clientCallId:3";

    private static Caller caller(String user, String address, String client, String context, Set<Identity> identity) {
        return Caller.of(user, address, client, context, identity, Set.of("10.0.0.1"));
    }

    @Test
    void identity_sameParts_isOneClient() {
        Object one = caller("alice", "10.0.0.2", "c1", "x", CLIENT_AND_USER).identity();
        assertThat(caller("alice", "10.0.0.3", "c1", "y", CLIENT_AND_USER).identity())
                .isEqualTo(one);
        assertThat(caller("bob", "10.0.0.2", "c1", "x", CLIENT_AND_USER).identity())
                .isNotEqualTo(one);
        assertThat(caller("alice", "10.0.0.2", "c2", "x", CLIENT_AND_USER).identity())
                .isNotEqualTo(one);
    }

    @Test
    void identity_ofContextOrAddress_goesByThese() {
        Set<Identity> context = EnumSet.of(Identity.CONTEXT);
        assertThat(caller("a", "1", "c", "query_1", context).identity())
                .isEqualTo(caller("b", "2", "d", "query_1", context).identity());
        Set<Identity> address = EnumSet.of(Identity.ADDRESS);
        assertThat(caller("a", "1", "c", "", address).identity())
                .isNotEqualTo(caller("a", "2", "c", "", address).identity());
    }

    @Test
    void routedClient_throughAKnownRouter_isBelieved() {
        Set<Identity> all = EnumSet.of(Identity.CLIENT, Identity.ADDRESS);
        Caller routed = caller("alice", "10.0.0.1", "router", ROUTED, all);
        assertThat(routed.address()).isEqualTo("10.0.0.9");
        assertThat(routed.identity())
                .isEqualTo(caller("alice", "10.0.0.9", "c9", "", all).identity());
    }

    @Test
    void routedClient_fromAnyoneElse_isNotBelieved() {
        Caller liar = caller("mallory", "10.0.0.66", "m", ROUTED, CLIENT_AND_USER);
        assertThat(liar.address()).isEqualTo("10.0.0.66");
        assertThat(liar.identity())
                .isEqualTo(
                        caller("mallory", "10.0.0.66", "m", "", CLIENT_AND_USER).identity());
    }

    @Test
    void identity_ofAnythingLong_isShortAndStillItsOwn() {
        Set<Identity> parts = EnumSet.of(Identity.CLIENT, Identity.CONTEXT);
        String longText = "x".repeat(1_000_000);
        Object one = caller("alice", "10.0.0.2", longText + 1, longText, parts).identity();
        assertThat(one.toString()).hasSizeLessThan(2 * Caller.PART_MAX);
        assertThat(caller("alice", "10.0.0.2", longText + 1, longText, parts).identity())
                .isEqualTo(one);
        assertThat(caller("alice", "10.0.0.2", longText + 2, longText, parts).identity())
                .isNotEqualTo(one);
    }
}
