/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.util.concurrent.AsyncGet;
import org.jspecify.annotations.Nullable;

/**
 * Many clients with leases in one JVM, over one connection. Each client holds the layout of a file and has a call parked at the NameNode.
 *
 * <p>Arguments: the NameNode's address, clients, files, changes. Writes files, and waits for a line before each step. Prints {@code PARKED}
 * when all calls are parked. Then changes files and prints lines {@code KIND micros...}: the times of the changes of one kind of file, by the
 * holders of the file. Ends after that.
 */
public final class LeaseSessionsWorkload {

    private static final int PARK_MILLIS = 9_000;
    private static final long POLL_NANOS = 50_000;
    private static final FsPermission[] PERMISSIONS = {
        FsPermission.createImmutable((short) 0644), FsPermission.createImmutable((short) 0600)
    };

    private final FileSystem fs;
    private final ClientNamenodeProtocolPB nameNode;
    private final List<Session> sessions = new ArrayList<>();
    private final int files;
    private final int changes;

    private LeaseSessionsWorkload(URI uri, int clients, int files, int changes) throws IOException {
        Configuration conf = new Configuration();
        conf.setInt("ipc.client.async.calls.max", 4 * clients + 100);
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        this.fs = FileSystem.get(uri, conf);
        this.nameNode = RPC.getProxy(
                ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class),
                NetUtils.createSocketAddr(uri.getAuthority()),
                UserGroupInformation.getCurrentUser(),
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                0);
        this.files = files;
        this.changes = changes;
        for (int i = 0; i < clients; i++) {
            sessions.add(new Session(i + 1L));
        }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LeaseSessionsWorkload workload = new LeaseSessionsWorkload(
                URI.create(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        workload.write();
        System.out.println("READY");
        in.readLine();
        workload.open();
        workload.parkAll();
        System.out.println("PARKED");
        in.readLine();
        workload.change();
        System.out.println("DONE");
        System.exit(0);
    }

    private static Path file(String kind, int number) {
        return new Path("/leases/" + kind + number);
    }

    private void write() throws IOException {
        for (int i = 0; i < files; i++) {
            write(file("shared", i));
        }
        for (String kind : List.of("unheld", "single", "dead")) {
            write(file(kind, 0));
        }
    }

    private void write(Path file) throws IOException {
        try (FSDataOutputStream out = fs.create(file)) {
            out.writeInt(1);
        }
    }

    /**
     * Makes each client hold one file. The first client alone holds a second file. One more client holds a file and does not answer
     * recalls.
     */
    private void open() throws ServiceException {
        for (int i = 0; i < sessions.size(); i++) {
            sessions.get(i).open(file("shared", i % files).toString());
        }
        sessions.get(0).open(file("single", 0).toString());
        new Session(Long.MAX_VALUE).open(file("dead", 0).toString());
    }

    private void parkAll() throws ServiceException {
        Client.setAsynchronousMode(true);
        for (Session session : sessions) {
            session.park();
        }
        Client.setAsynchronousMode(false);
    }

    private void change() throws Exception {
        try (Acknowledger acknowledger = new Acknowledger()) {
            report("dead", 1);
            acknowledger.start();
            report("unheld", changes);
            report("unheld", changes);
            report("single", changes);
            report("shared", Math.max(1, changes / 10));
        }
    }

    /** Changes a file many times. Between two changes the holders open the file again. */
    private void report(String kind, int times) throws Exception {
        long[] micros = new long[times];
        for (int i = 0; i < times; i++) {
            if (kind.equals("single") && i > 0) {
                sessions.get(0).open(file(kind, 0).toString());
            } else if (kind.equals("shared") && i > 0) {
                for (int holder = 0; holder < sessions.size(); holder += files) {
                    sessions.get(holder).open(file(kind, 0).toString());
                }
            }
            long begin = System.nanoTime();
            fs.setPermission(file(kind, 0), PERMISSIONS[i % 2]);
            micros[i] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
        }
        System.out.println(kind + ' ' + Arrays.toString(micros).replaceAll("[\\[\\],]", ""));
    }

    /** One client with a lease. Guarded by itself. */
    private final class Session {
        private final long id;
        private long request;
        private long epoch;
        private long incarnation;
        private long recall;
        private @Nullable AsyncGet<Message, Exception> parked;

        Session(long id) {
            this.id = id;
        }

        private LeaseMarkProto.Builder mark() {
            return LeaseMarkProto.newBuilder()
                    .setSession(id)
                    .setEpoch(epoch)
                    .setIncarnation(incarnation)
                    .setRecall(recall)
                    .setRequest(++request);
        }

        private UnknownFieldSet note(LeaseMarkProto.Builder mark) {
            return Notes.fieldsWith(ClientNoteProto.newBuilder().setCacheId(id).setLease(mark));
        }

        synchronized void open(String path) throws ServiceException {
            receive(nameNode.getBlockLocations(
                    null,
                    GetBlockLocationsRequestProto.newBuilder()
                            .setSrc(path)
                            .setOffset(0)
                            .setLength(1)
                            .setUnknownFields(note(mark()))
                            .build()));
        }

        /** Acknowledges all recalls, and parks a call for the next. Needs the client's asynchronous mode. */
        synchronized void park() throws ServiceException {
            nameNode.getServerDefaults(
                    null,
                    GetServerDefaultsRequestProto.newBuilder()
                            .setUnknownFields(note(mark().setParkMillis(PARK_MILLIS)))
                            .build());
            parked = ProtobufRpcEngine2.getAsyncReturnMessage();
        }

        /** Whether the parked call was answered. */
        synchronized boolean received() throws Exception {
            AsyncGet<Message, Exception> waiting = parked;
            if (waiting == null || !waiting.isDone()) {
                return false;
            }
            receive(waiting.get(0, TimeUnit.SECONDS));
            parked = null;
            return true;
        }

        private void receive(Message response) {
            NameNodeNoteProto note = Notes.nameNodeNote(response);
            if (note == null || !note.hasLease()) {
                throw new IllegalStateException("the NameNode grants no lease");
            }
            LeaseReplyProto reply = note.getLease();
            epoch = reply.getEpoch();
            incarnation = reply.getIncarnation();
            recall = reply.getRecallsAfter() + reply.getRecallsCount();
        }
    }

    /** Parks a new call in place of each answered call. */
    private final class Acknowledger extends Thread implements AutoCloseable {

        private volatile boolean ended;

        Acknowledger() {
            super("acknowledger");
            setDaemon(true);
        }

        @Override
        public void run() {
            Client.setAsynchronousMode(true);
            try {
                while (!ended) {
                    for (Iterator<Session> all = sessions.iterator(); all.hasNext() && !ended; ) {
                        Session session = all.next();
                        if (session.received()) {
                            session.park();
                        }
                    }
                    TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
                }
            } catch (Exception e) {
                System.err.println("Recalls are not acknowledged any longer: " + e);
            }
        }

        @Override
        public void close() {
            ended = true;
        }
    }
}
