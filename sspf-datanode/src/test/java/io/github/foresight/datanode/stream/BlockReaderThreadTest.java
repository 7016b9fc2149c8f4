/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.Reader;
import org.junit.jupiter.api.Test;

/** The names are made as {@code DataXceiver.updateCurrentThreadName} makes them. */
class BlockReaderThreadTest {

    private static final String BLOCK = "BP-1-127.0.0.1-1:blk_1073741825_1001]";

    @Test
    void thread_sendingBlockOverTcp_servesItsClient() {
        BlockReaderThread thread = BlockReaderThread.ofName(
                "DataXceiver for client DFSClient_NONMAPREDUCE_1_1 at /127.0.0.1:4242 [Sending block " + BLOCK);
        assertThat(thread.servesClient()).isTrue();
        assertThat(thread.isShortCircuit()).isFalse();
        assertThat(thread.reader()).hasToString("DFSClient_NONMAPREDUCE_1_1 at 127.0.0.1");
    }

    @Test
    void thread_negativeNumbersInClientName_areKept() {
        BlockReaderThread thread = BlockReaderThread.ofName(
                "DataXceiver for client DFSClient_attempt_17_0001_m_000003_0_-1403927465_1 at /10.1.2.3:50010 [Sending block "
                        + BLOCK);
        assertThat(thread.reader()).hasToString("DFSClient_attempt_17_0001_m_000003_0_-1403927465_1 at 10.1.2.3");
    }

    @Test
    void thread_passingDescriptors_isShortCircuitWithoutAddress() {
        BlockReaderThread thread = BlockReaderThread.ofName(
                "DataXceiver for client DFSClient_NONMAPREDUCE_1_1 at unix:/var/run/hdfs/dn._PORT [Passing file descriptors"
                        + " for block " + BLOCK);
        assertThat(thread.servesClient()).isTrue();
        assertThat(thread.isShortCircuit()).isTrue();
        assertThat(thread.reader()).hasToString("DFSClient_NONMAPREDUCE_1_1 at ?");
    }

    @Test
    void thread_firstRequestOfItsConnection_hasNoClientNameYet() {
        BlockReaderThread descriptors = BlockReaderThread.ofName(
                "DataXceiver for client unix:/var/run/hdfs/dn [Passing file descriptors for block " + BLOCK);
        assertThat(descriptors.isShortCircuit()).isTrue();
        assertThat(descriptors.reader()).hasToString("? at ?");
        BlockReaderThread sending =
                BlockReaderThread.ofName("DataXceiver for client /127.0.0.1:4242 [Sending block " + BLOCK);
        assertThat(sending.servesClient()).isTrue();
        assertThat(sending.reader()).hasToString("? at 127.0.0.1");
    }

    @Test
    void thread_ipv6AsJdk11AndAsLaterJdksWriteIt_hasTheAddressAsHintsHaveIt() {
        for (String address : new String[] {"/fe80:0:0:0:0:0:0:1:4242", "/[fe80:0:0:0:0:0:0:1]:4242"}) {
            BlockReaderThread thread =
                    BlockReaderThread.ofName("DataXceiver for client C at " + address + " [Sending block " + BLOCK);
            assertThat(thread.reader()).as(address).hasToString("C at fe80:0:0:0:0:0:0:1");
            assertThat(thread.reader().matches(new Reader(null, "fe80:0:0:0:0:0:0:1")))
                    .as(address)
                    .isTrue();
        }
    }

    @Test
    void thread_ofHdfsItself_servesNobody() {
        String[] names = {
            "VolumeScannerThread(/data/1)",
            "DataXceiver for client /127.0.0.1:4242 [Waiting for operation #2]",
            "DataXceiver for client C at /127.0.0.1:4242 [Receiving block " + BLOCK,
            "DataXceiver for client C at /127.0.0.1:4242 [Copying block " + BLOCK,
            "DataXceiver for client C at /127.0.0.1:4242 [Getting checksum for block " + BLOCK,
            "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1",
            "main",
            ""
        };
        for (String name : names) {
            BlockReaderThread thread = BlockReaderThread.ofName(name);
            assertThat(thread.servesClient()).as(name).isFalse();
            assertThat(thread.isShortCircuit()).as(name).isFalse();
            assertThat(thread.reader()).as(name).isSameAs(Reader.UNKNOWN);
        }
    }

    @Test
    void thread_namelessReaderThatIsADataNode_servesNobody() {
        assertThat(BlockReaderThread.ofName("DataXceiver for client  at /127.0.0.1:4242 [Sending block " + BLOCK)
                        .servesClient())
                .isFalse();
    }
}
