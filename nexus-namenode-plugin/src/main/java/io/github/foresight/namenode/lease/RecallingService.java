/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.namenode.lease.BegunChange.Course;
import io.github.foresight.namenode.lease.WaitingChanges.Actions;
import io.github.foresight.namenode.path.NamespacePath;
import io.github.foresight.protocol.change.ChangedPaths;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsResponseProto;
import org.apache.hadoop.ipc.DeferredCall;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's service of client RPCs. A change of the namespace is carried out only when no client holds a layout of the changed files.
 *
 * <pre>
 *   change ─ held? ─ no ──────────────────────────────── HDFS ─ answer
 *              └ yes ─ recall ─ acknowledged? ─ yes ──── HDFS ─ answer
 *                                   └ no ─ deferred ···· HDFS, on a thread of ours as the caller ─ answer
 * </pre>
 *
 * <p>A caller that has none of the rights that any change needs recalls nothing. HDFS refuses its change; should HDFS carry it out all the
 * same, then the recall follows, and the answer waits for it. The same holds for changes whose path is known only afterwards, and
 * for changes that bypass this service. Other RPCs are HDFS's; they cost a look at the method's index. Thread-safe.
 */
public final class RecallingService implements BlockingService {

    /** The namespace, as far as changes have to be looked at. Its methods may take the namesystem's read lock. */
    public interface Namespace {
        /** Whether there is a file or directory at one of the paths that was made before a moment, by the last inode's id then. */
        boolean isAnyOld(List<String> paths, long lastOld);

        /** Whether the caller of the RPC in hand has a right without which HDFS allows no change of the path. */
        boolean mayChange(String path) throws IOException;

        /** The path that one with an inode's id stands for, or null. */
        @Nullable
        String resolve(String path);
    }

    private static final String ROOT = "/";
    private static final List<String> EVERYTHING = Collections.singletonList(ROOT);

    private final BlockingService stock;

    /** By a method's index: whether its requests are changes. */
    private final BitSet changes = new BitSet();

    private final LayoutLeases leases;
    private final Namespace namespace;
    private final LeaseListener events;
    private final Consumer<String> carriedOut;

    /** Set while this thread is in a change that began here. HDFS's audit event of that change is ignored. */
    private final ThreadLocal<Boolean> isWithin = new ThreadLocal<>();

    /**
     * Stands in front of HDFS's service.
     *
     * @param carriedOut receives each path that HDFS has changed by this service, as the caller wrote it
     */
    public RecallingService(
            BlockingService stock,
            LayoutLeases leases,
            Namespace namespace,
            LeaseListener events,
            Consumer<String> carriedOut) {
        this.stock = stock;
        this.leases = leases;
        this.namespace = namespace;
        this.events = events;
        this.carriedOut = carriedOut;
        for (MethodDescriptor method : stock.getDescriptorForType().getMethods()) {
            changes.set(method.getIndex(), ChangedPaths.isChange(stock.getRequestPrototype(method)));
        }
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
        return stock.getDescriptorForType();
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return stock.getRequestPrototype(method);
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return stock.getResponsePrototype(method);
    }

    @Override
    @SuppressWarnings("NullAway") // a handler that has deferred its call returns null
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (changes.get(method.getIndex())) {
            return new Change(method, controller, request, ChangedPaths.of(request)).attempt();
        }
        if (request instanceof GetServerDefaultsRequestProto && Notes.isIn(request)) {
            return park(method, controller, request);
        }
        return stock.callBlockingMethod(method, controller, request);
    }

    private static @Nullable LeaseMarkProto markIn(Message request) {
        ClientNoteProto note = Notes.isIn(request) ? Notes.clientNote(request) : null;
        return note != null && note.hasLease() ? note.getLease() : null;
    }

    /** One change. Confined to the thread that carries it out. */
    private final class Change {
        private final MethodDescriptor method;
        private final RpcController controller;
        private final Message request;

        /** As the caller wrote them. */
        private final List<String> changed;

        /** Those in the form of {@link NamespacePath}; the root is a slash. */
        private final List<String> paths = new ArrayList<>(2);

        /** Whether a path stands for an inode that is not there. */
        private boolean isUnresolved;

        private final @Nullable LeaseMarkProto mark;
        private @Nullable DeferredCall deferred;

        Change(MethodDescriptor method, RpcController controller, Message request, List<String> changed) {
            this.method = method;
            this.controller = controller;
            this.request = request;
            this.changed = changed;
            this.mark = markIn(request);
        }

        /** Carries the change out, or has it wait. Null if it waits. */
        @Nullable
        Message attempt() throws ServiceException {
            BegunChange begin;
            boolean isAllowed = true;
            try {
                resolvePaths();
                begin = leases.beginUnlooked(paths, mark);
                if (begin.course() == Course.LOOK) {
                    isAllowed = isAllowed();
                    begin = isAllowed ? begin(isOld()) : BegunChange.UNLEASED;
                }
            } catch (TooManyChangesException e) {
                throw new ServiceException(e.forCaller());
            } catch (IOException | RuntimeException e) {
                begin = beginAfterFailure(e);
            }
            switch (begin.course()) {
                case LATER:
                    return null;
                case NOW:
                    return carryOut(begin);
                default:
                    return unleased(isAllowed);
            }
        }

        private void resolvePaths() {
            paths.clear();
            isUnresolved = false;
            for (String path : changed) {
                String plain = NamespacePath.of(path);
                if (plain == null && NamespacePath.isByInode(path)) {
                    plain = NamespacePath.of(namespace.resolve(path));
                    isUnresolved |= plain == null;
                }
                if (plain != null) {
                    paths.add(plain.isEmpty() ? ROOT : plain);
                }
            }
        }

        /** A directory that is not old may hold old files that were moved there, but their layouts were recalled when they were. */
        private boolean isOld() {
            OptionalLong lastOld = leases.lastOldInode();
            return lastOld.isPresent() && namespace.isAnyOld(paths, lastOld.getAsLong());
        }

        private boolean isAllowed() throws IOException {
            for (String path : paths) {
                if (!namespace.mayChange(path)) {
                    events.changeWithoutRights();
                    return false;
                }
            }
            return true;
        }

        private BegunChange begin(boolean isOld) throws TooManyChangesException {
            return leases.begin(paths, mark, isOld, this::deferral);
        }

        /** All leases are given up: in the next activation the change waits until they have run out. */
        private BegunChange beginAfterFailure(Exception e) throws ServiceException {
            leases.failed(e);
            try {
                return begin(true);
            } catch (TooManyChangesException refused) {
                throw new ServiceException(refused.forCaller());
            } catch (RuntimeException again) {
                events.failed(again);
                return BegunChange.UNLEASED;
            }
        }

        private Actions deferral() {
            DeferredCall call = deferred == null ? DeferredCall.begin() : deferred;
            deferred = call;
            return new Actions(begin -> call.carryOut(() -> carryOut(begin)), () -> call.carryOut(this::attempt));
        }

        private Message carryOut(BegunChange begin) throws ServiceException {
            boolean isCurrent;
            Message response;
            try {
                response = change();
            } finally {
                isCurrent = leases.end(begin);
            }
            if (!isCurrent) {
                // The NameNode became standby and active again meanwhile: what another has granted is not known.
                recallAfterwards(paths);
            } else if (isUnresolved) {
                recallAfterwards(EVERYTHING);
            }
            return response;
        }

        private Message unleased(boolean isAllowed) throws ServiceException {
            Message response = change();
            if (!isAllowed || isUnresolved) {
                recallAfterwards(isUnresolved ? EVERYTHING : paths);
            }
            return response;
        }

        private Message change() throws ServiceException {
            isWithin.set(Boolean.TRUE);
            try {
                Message response = stock.callBlockingMethod(method, controller, request);
                changed.forEach(carriedOut);
                return response;
            } finally {
                isWithin.remove();
            }
        }
    }

    /**
     * HDFS has carried out a change; does nothing where it came by this service.
     *
     * @param path in the form of {@link NamespacePath}
     */
    public void changed(String path) {
        if (isWithin.get() == null) {
            events.changeElsewhere();
            try {
                recallAfterwards(Collections.singletonList(path.isEmpty() ? ROOT : path));
            } catch (RuntimeException e) {
                leases.failed(e);
            }
        }
    }

    /** HDFS has carried out a change of which the paths are not known; does nothing where it came by this service. */
    public void everythingChanged() {
        changed(ROOT);
    }

    /** An RPC's answer is postponed until the holders have acknowledged; a thread without an RPC waits for them. */
    private void recallAfterwards(List<String> paths) {
        Server.Call call = Server.getCurCall().get();
        if (call == null) {
            AwaitedRecall awaited = new AwaitedRecall();
            leases.changedAlready(paths, awaited::needed);
            awaited.await(leases.longestWaitNanos());
        } else {
            leases.changedAlready(paths, () -> new PostponedAnswer(call));
        }
    }

    private @Nullable Message park(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        GetServerDefaultsResponseProto defaults =
                (GetServerDefaultsResponseProto) stock.callBlockingMethod(method, controller, request);
        LeaseMarkProto mark = markIn(request);
        if (mark == null) {
            return defaults;
        }
        if (mark.getReleased()) {
            leases.release(mark.getSession());
            return defaults;
        }
        LeasedRequest leased = leases.request(mark);
        if (leased == null) {
            return defaults;
        }
        boolean isParked = mark.getParkMillis() > 0
                && leases.park(mark.getSession(), leased, mark.getParkMillis(), () -> {
                    DeferredCall call = DeferredCall.begin();
                    return () -> call.answer(noted(defaults, leased));
                });
        return isParked ? null : noted(defaults, leased);
    }

    private static Message noted(GetServerDefaultsResponseProto defaults, LeasedRequest leased) {
        LeaseReplyProto reply = leased.reply();
        return reply == null
                ? defaults
                : defaults.toBuilder()
                        .setUnknownFields(
                                Notes.fieldsWith(NameNodeNoteProto.newBuilder().setLease(reply)))
                        .build();
    }
}
