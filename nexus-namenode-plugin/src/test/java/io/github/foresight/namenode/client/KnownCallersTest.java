/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import io.github.foresight.namenode.client.Caller.Origin;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

class KnownCallersTest {

    private static final InetAddress HOST = InetAddresses.forString("10.0.0.2");
    private static final InetAddress ROUTER = InetAddresses.forString("10.0.0.1");

    private final KnownCallers callers = new KnownCallers(
            EnumSet.of(Identity.CLIENT, Identity.USER), Set.of(ROUTER.getHostAddress()), Set.of("gateway"));

    private static byte[] client(int number) {
        return ByteBuffer.allocate(16).putInt(number).array();
    }

    @Test
    void clientThatAsksAgain_isKnown() {
        Caller first = callers.caller("alice", HOST, client(1), "", Origin.CLIENT);
        assertThat(callers.caller("alice", InetAddresses.forString("10.0.0.2"), client(1), "", Origin.CLIENT))
                .isSameAs(first);
        assertThat(first.user()).isEqualTo("alice");
        assertThat(first.address()).isEqualTo("10.0.0.2");
    }

    /** Others may be remembered in the same place: none is ever taken for another. */
    @Test
    void anyDifference_makesAnotherCaller() {
        for (int round = 0; round < 2; round++) {
            for (int number = 0; number < 5_000; number++) {
                for (String user : new String[] {"alice", "bob"}) {
                    Caller caller = callers.caller(user, HOST, client(number), "", Origin.CLIENT);
                    assertThat(caller.user()).isEqualTo(user);
                    assertThat(caller.identity())
                            .isEqualTo(new KnownCallers(EnumSet.of(Identity.CLIENT, Identity.USER), Set.of(), Set.of())
                                    .caller(user, HOST, client(number), "", Origin.CLIENT)
                                    .identity());
                }
            }
        }
        callers.caller("alice", HOST, client(1), "", Origin.CLIENT);
        assertThat(callers.caller("alice", InetAddresses.forString("10.0.0.3"), client(1), "", Origin.CLIENT)
                        .address())
                .isEqualTo("10.0.0.3");
        assertThat(callers.caller("alice", null, client(1), "", Origin.CLIENT).address())
                .isEmpty();
    }

    @Test
    void clientsBehindARouter_areToldApart() {
        Caller first = callers.caller("alice", ROUTER, client(1), "clientIp:10.0.0.8,clientId:c8", Origin.CLIENT);
        Caller second = callers.caller("alice", ROUTER, client(1), "clientIp:10.0.0.9,clientId:c9", Origin.CLIENT);
        assertThat(first.address()).isEqualTo("10.0.0.8");
        assertThat(second.address()).isEqualTo("10.0.0.9");
        assertThat(second.identity()).isNotEqualTo(first.identity());
    }

    @Test
    void clientWithAVeryLongId_isNotRemembered() {
        byte[] longId = new byte[1_000_000];
        Caller first = callers.caller("alice", HOST, longId, "", Origin.CLIENT);
        Caller again = callers.caller("alice", HOST, longId, "", Origin.CLIENT);
        assertThat(again).isNotSameAs(first);
        assertThat(again.identity()).isEqualTo(first.identity());
    }

    /** Two RPCs that differ only in the real user, of which one may speak for others. */
    @Test
    void clientOfAProxyUser_isAtTheAddressThatTheContextNames() {
        String context = "clientIp:10.0.0.8,clientId:c8";
        assertThat(callers.caller("alice", HOST, client(1), context, Origin.PROXY)
                        .address())
                .isEqualTo("10.0.0.8");
        assertThat(callers.caller("alice", HOST, client(1), context, Origin.CLIENT)
                        .address())
                .isEqualTo("10.0.0.2");
    }

    @Test
    void proxyUsers_areKnownByTheRealUsersShortName() throws Exception {
        UserGroupInformation gateway = UserGroupInformation.createRemoteUser("gateway");
        assertThat(callers.originOf(UserGroupInformation.createProxyUser("alice", gateway)))
                .isEqualTo(Origin.PROXY);
        assertThat(callers.originOf(UserGroupInformation.createRemoteUser("alice")))
                .isEqualTo(Origin.CLIENT);
        assertThat(callers.originOf(null)).isEqualTo(Origin.CLIENT);
    }

    @Test
    void userWithAVeryLongName_isNotRemembered() {
        String longName = "u".repeat(1_000_000);
        Caller first = callers.caller(longName, HOST, client(1), "", Origin.CLIENT);
        Caller again = callers.caller(longName, HOST, client(1), "", Origin.CLIENT);
        assertThat(again).isNotSameAs(first);
        assertThat(again.identity()).isEqualTo(first.identity());
        assertThat(again.identity().toString()).hasSizeLessThan(1000);
    }
}
