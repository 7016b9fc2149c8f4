/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names and defaults are a promise to operators; a change of a key must also change this test. */
class KeyCatalogueTest {

    private static List<String> namesAndDefaults(Role role) {
        List<String> lines = new ArrayList<>();
        KeyCatalogue.of(role).forEach(key -> lines.add(key.name() + " = " + key.defaultText()));
        return lines;
    }

    @Test
    void dataNodeKeys_namesAndDefaults_arePinned() {
        assertThat(namesAndDefaults(Role.DATANODE))
                .containsExactly(
                        "foresight.datanode.prefetch.enabled = true",
                        "foresight.datanode.cache.capacity = auto",
                        "foresight.datanode.cache.policy = w-tinylfu",
                        "foresight.datanode.cache.pin = true",
                        "foresight.datanode.descriptors.share = 0.25",
                        "foresight.datanode.mappings.share = 0.25",
                        "foresight.datanode.cache.retry.time = 60s",
                        "foresight.datanode.cache.idle.time = 10m",
                        "foresight.datanode.cache.unaccessed.time = 2m",
                        "foresight.datanode.cache.reassign.period = 10s",
                        "foresight.datanode.cache.reassign.threshold = 0.2",
                        "foresight.datanode.cache.reassign.min.hits = 5",
                        "foresight.datanode.prefetch.depth.first = 8",
                        "foresight.datanode.prefetch.depth.max = 32",
                        "foresight.datanode.prefetch.chunk = 4m",
                        "foresight.datanode.prefetch.ramp = 4m",
                        "foresight.datanode.sessions.max = 4096",
                        "foresight.datanode.sessions.blocks.max = 65536",
                        "foresight.datanode.sessions.caller.share = 0.5",
                        "foresight.datanode.sessions.idle.time = 60s",
                        "foresight.datanode.sessions.yield.time = 5s",
                        "foresight.datanode.queue.max = 8192",
                        "foresight.datanode.lane.queue.max = 4096",
                        "foresight.datanode.hint.rate = 1000",
                        "foresight.datanode.hint.burst = 5000",
                        "foresight.datanode.hint.blocks.max = 1024",
                        "foresight.datanode.window.enabled = true",
                        "foresight.datanode.window.capacity = auto",
                        "foresight.datanode.failures.max = 100",
                        "foresight.datanode.preallocate.mode = on-demand",
                        "foresight.datanode.preallocate.scale = 64",
                        "foresight.datanode.preallocate.window.max = 256m",
                        "foresight.datanode.preallocate.start.min = 32k",
                        "foresight.datanode.preallocate.misses.max = 4",
                        "foresight.datanode.preallocate.volume.max = 16g",
                        "foresight.datanode.preallocate.free.min = 1g",
                        "foresight.datanode.preallocate.wait.time = 20ms",
                        "foresight.datanode.preallocate.descriptors.share = 0.1",
                        "foresight.datanode.preallocate.slow.time = 200ms",
                        "foresight.datanode.preallocate.slow.max = 8",
                        "foresight.datanode.packs.enabled = true",
                        "foresight.datanode.packs.block.max = 1m",
                        "foresight.datanode.packs.size.max = 256k",
                        "foresight.datanode.packs.memory = 32m",
                        "foresight.datanode.packs.delay.time = 2s",
                        "foresight.datanode.packs.queue.max = 20000");
    }

    @Test
    void clientKeys_namesAndDefaults_arePinned() {
        assertThat(namesAndDefaults(Role.CLIENT))
                .containsExactly(
                        "foresight.client.hint.enabled = true",
                        "foresight.client.proxy.provider = ",
                        "foresight.client.hint.min.bytes = 8m",
                        "foresight.client.hint.window.blocks = 32",
                        "foresight.client.hint.evidence = 4m",
                        "foresight.client.hint.read.min = 64k",
                        "foresight.client.hint.part.replicas = 3",
                        "foresight.client.hint.part.min = 16m",
                        "foresight.client.hint.queue.max = 1000",
                        "foresight.client.hint.threads = 4",
                        "foresight.client.hint.timeout = 2s",
                        "foresight.client.hint.backoff = 5m",
                        "foresight.client.files.max = 1024",
                        "foresight.client.metadata.enabled = true",
                        "foresight.client.consistency = strict",
                        "foresight.client.lease = 10s",
                        "foresight.client.immutable.paths = ",
                        "foresight.client.metadata.capacity = 16m",
                        "foresight.client.metadata.process.capacity = 128m",
                        "foresight.client.metadata.age = 10s",
                        "foresight.client.metadata.after = 1",
                        "foresight.client.metadata.files.max = 64",
                        "foresight.client.metadata.status.enabled = true",
                        "foresight.client.metadata.ahead.enabled = true",
                        "foresight.client.metadata.bundle.enabled = false",
                        "foresight.client.reuse.enabled = true",
                        "foresight.client.data.enabled = true",
                        "foresight.client.data.wait = 5ms",
                        "foresight.client.data.footer = 256k",
                        "foresight.client.data.footer.suffixes = .parquet, .orc",
                        "foresight.client.window.enabled = true",
                        "foresight.client.window.kind = wing",
                        "foresight.client.window.object = 128k",
                        "foresight.client.window.objects.first = 1",
                        "foresight.client.window.objects.max = 40",
                        "foresight.client.window.trail = 256m",
                        "foresight.client.window.patience = 64",
                        "foresight.client.vectored.enabled = true",
                        "foresight.client.vectored.threads = 16",
                        "foresight.client.vectored.replicas = 3",
                        "foresight.client.vectored.gap = 64k",
                        "foresight.client.vectored.merged.max = 1m");
    }

    @Test
    void nameNodeKeys_namesAndDefaults_arePinned() {
        assertThat(namesAndDefaults(Role.NAMENODE))
                .containsExactly(
                        "foresight.namenode.learn.enabled = true",
                        "foresight.namenode.prefetch.enabled = true",
                        "foresight.namenode.siblings.enabled = true",
                        "foresight.namenode.invalidate.enabled = true",
                        "foresight.namenode.balance.enabled = true",
                        "foresight.namenode.bundle.enabled = true",
                        "foresight.namenode.reuse.enabled = true",
                        "foresight.namenode.hint.enabled = false",
                        "foresight.namenode.graph.capacity = 256m",
                        "foresight.namenode.graph.successors = 12",
                        "foresight.namenode.graph.aging.visits = 255",
                        "foresight.namenode.graph.user.share = 0.5",
                        "foresight.namenode.graph.weights = exponential",
                        "foresight.namenode.graph.scope = shared",
                        "foresight.namenode.window = 2",
                        "foresight.namenode.window.idle.time = 5m",
                        "foresight.namenode.client.identity = client,user",
                        "foresight.namenode.clients.max = 100000",
                        "foresight.namenode.clients.capacity = 128m",
                        "foresight.namenode.client.files.max = 1024",
                        "foresight.namenode.routers = ",
                        "foresight.namenode.group.size = 16",
                        "foresight.namenode.group.threshold = 0.05",
                        "foresight.namenode.group.useful = 0.25",
                        "foresight.namenode.group.bytes.max = 64k",
                        "foresight.namenode.group.blocks.max = 10",
                        "foresight.namenode.group.chains = true",
                        "foresight.namenode.bundle.files.max = 100",
                        "foresight.namenode.opened.max = 262144",
                        "foresight.namenode.enforcer.enabled = false",
                        "foresight.namenode.refusals.max = 65536",
                        "foresight.namenode.refusals.time = 10m",
                        "foresight.namenode.lock.files.max = 8",
                        "foresight.namenode.lock.time.max = 1ms",
                        "foresight.namenode.lock.queue.max = 8",
                        "foresight.namenode.call.queue.max = 500",
                        "foresight.namenode.priority.levels = 3",
                        "foresight.namenode.hint.files = 8",
                        "foresight.namenode.invalidate.queue.max = 1000",
                        "foresight.namenode.invalidate.capacity = 64m",
                        "foresight.namenode.invalidate.tail.period = 500ms",
                        "foresight.namenode.invalidate.tail.max = 100000",
                        "foresight.namenode.lease.enabled = true",
                        "foresight.namenode.lease.duration = 10s",
                        "foresight.namenode.lease.margin = 500ms",
                        "foresight.namenode.lease.layout.age = 10s",
                        "foresight.namenode.lease.required = false",
                        "foresight.namenode.lease.capacity = 64m",
                        "foresight.namenode.lease.sessions.max = 20000",
                        "foresight.namenode.lease.files.max = 100000",
                        "foresight.namenode.lease.user.share = 0.5",
                        "foresight.namenode.lease.parked.max = 20000",
                        "foresight.namenode.lease.changes.max = 10000",
                        "foresight.namenode.lease.threads = 4",
                        "foresight.namenode.balance.apart = 2",
                        "foresight.namenode.checkpoint.file = ",
                        "foresight.namenode.checkpoint.hdfs.path = ",
                        "foresight.namenode.checkpoint.interval = 10m",
                        "foresight.namenode.audit.loggers.enabled = false",
                        "foresight.namenode.audit.times.enabled = true",
                        "foresight.namenode.audit.capacity = 16m",
                        "foresight.namenode.failures.max = 100");
    }

    @Test
    void placementKeys_namesAndDefaults_arePinned() {
        assertThat(namesAndDefaults(Role.PLACEMENT))
                .containsExactly(
                        "foresight.placement.enabled = true",
                        "foresight.placement.base.classname = ",
                        "foresight.placement.excluded = ",
                        "foresight.placement.return.enabled = true",
                        "foresight.placement.spare.enabled = true",
                        "foresight.placement.even.enabled = true",
                        "foresight.placement.load.factor = 4",
                        "foresight.placement.recovery.max = 32",
                        "foresight.placement.nodes.refresh = 1s",
                        "foresight.placement.files.max = 10000",
                        "foresight.placement.failures.max = 100");
    }

    @Test
    void everyKey_ofARole_carriesItsNameAndIsDescribed() {
        for (Role role : Role.values()) {
            for (ConfKey<?> key : KeyCatalogue.of(role)) {
                assertThat(key.name()).startsWith(KeyCatalogue.PREFIX + role.label() + ".");
                assertThat(key.name()).matches("[a-z]+(\\.[a-z]+)+");
                assertThat(key.description()).as(key.name()).endsWith(".").hasSizeGreaterThan(20);
            }
        }
    }

    @Test
    void find_name_givesItsKey() {
        KeyCatalogue.byName()
                .forEach((name, key) ->
                        assertThat(KeyCatalogue.find(name)).as(name).isSameAs(key));
    }

    @Test
    void find_innerProviderOfANameservice_givesTheProviderKey() {
        assertThat(KeyCatalogue.find("foresight.client.proxy.provider.ns1")).isSameAs(ClientKeys.INNER_PROVIDER);
    }

    @Test
    void find_unknownName_givesNothing() {
        assertThat(KeyCatalogue.find("foresight.client.hint.enable")).isNull();
        assertThat(KeyCatalogue.find("foresight.client.proxy.providers")).isNull();
        assertThat(KeyCatalogue.find("dfs.blocksize")).isNull();
    }

    @Test
    void byName_allRoles_hasEveryKeyOnce() {
        int count = 0;
        for (Role role : Role.values()) {
            count += KeyCatalogue.of(role).size();
        }
        assertThat(KeyCatalogue.byName()).hasSize(count);
    }
}
