/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.File;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.mockito.Mockito;
import org.mockito.invocation.Invocation;
import org.mockito.invocation.InvocationOnMock;

/**
 * A NameNode and a DataNode in this JVM, with Foresight configured on the class path. While a file is written, the probe watches the locks of
 * replicas and the disk. The probe prints a line for each event.
 */
public final class DatasetLockProbe {

    /** HDFS has taken a lock to put a replica into its map. */
    static final String HDFS = "LOCK OF HDFS ";

    /** Foresight has taken a lock to replace a replica in HDFS's map. */
    static final String FORESIGHT = "LOCK OF FORESIGHT ";

    /** The disk was used under a lock that Foresight has taken. */
    static final String DISK = "DISK UNDER A LOCK OF FORESIGHT ";

    static final String ENDED = "PROBE ENDED";

    private static final List<String> EVENTS = Collections.synchronizedList(new ArrayList<>());
    private static final ThreadLocal<Boolean> HELD = ThreadLocal.withInitial(() -> false);

    private DatasetLockProbe() {}

    /** Runs the probe; the argument is the folder of the cluster's data. The JVM exits even if threads of the daemons are left. */
    public static void main(String[] arguments) throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, new File(arguments[0]).getAbsolutePath());
        int status = 1;
        try (MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            cluster.waitActive();
            FsDatasetSpi<?> dataset = cluster.getDataNodes().get(0).getFSDataset();
            watch(dataset);
            try (FileSystem fs = cluster.getFileSystem()) {
                for (int i = 0; i < 3; i++) {
                    try (OutputStream out = fs.create(new Path("/file" + i))) {
                        out.write(new byte[1000]);
                    }
                }
            }
            EVENTS.forEach(System.out::println);
            System.out.println(ENDED);
            status = 0;
        } catch (Throwable e) {
            e.printStackTrace(System.out);
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private static void watch(FsDatasetSpi<?> dataset) throws ReflectiveOperationException {
        for (String name : List.of("lockManager", "datasetWriteLock")) {
            replaceField(dataset, name, DatasetLockProbe::lock);
        }
        try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
            for (FsVolumeSpi volume : volumes) {
                replaceField(volume, "fileIoProvider", DatasetLockProbe::disk);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Watch {
        Object called(Object original, InvocationOnMock call) throws Throwable;
    }

    /** Replaces a field's value by a watch. Some versions of HDFS do not have the field. */
    private static void replaceField(Object of, String name, Watch watch) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    field.set(of, watched(field.get(of), watch));
                    return;
                }
            }
        }
    }

    private static Object watched(Object original, Watch watch) {
        return Mockito.mock(
                original.getClass(),
                Mockito.withSettings().stubOnly().defaultAnswer(call -> watch.called(original, call)));
    }

    private static Object onOriginal(Object original, InvocationOnMock call) throws Throwable {
        try {
            call.getMethod().setAccessible(true);
            // The raw arguments are passed on: for a method with a variable number of arguments, they contain an array.
            return call.getMethod().invoke(original, ((Invocation) call).getRawArguments());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object lock(Object original, InvocationOnMock call) throws Throwable {
        Object held = onOriginal(original, call);
        String method = call.getMethod().getName();
        if (!method.equals("writeLock") && !method.equals("acquire")) {
            return held;
        }
        String lock = method + " "
                + Arrays.stream(call.getArguments()).map(DatasetLockProbe::text).collect(Collectors.joining(" "));
        if (isOnStack("WatchedReplicas", "watch")) {
            EVENTS.add(FORESIGHT + lock);
            HELD.set(true);
            return watched(held, DatasetLockProbe::unlock);
        }
        if (isOnStack("FsDatasetImpl", "createRbw")) {
            EVENTS.add(HDFS + lock);
        }
        return held;
    }

    private static Object unlock(Object original, InvocationOnMock call) throws Throwable {
        if (call.getMethod().getName().equals("close")) {
            HELD.set(false);
        }
        return onOriginal(original, call);
    }

    private static Object disk(Object original, InvocationOnMock call) throws Throwable {
        if (HELD.get()) {
            EVENTS.add(DISK + call.getMethod().getName());
        }
        return onOriginal(original, call);
    }

    private static String text(Object argument) {
        return argument instanceof Object[] several ? Arrays.toString(several) : String.valueOf(argument);
    }

    private static boolean isOnStack(String type, String method) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + type)
                        && frame.getMethodName().equals(method)));
    }
}
