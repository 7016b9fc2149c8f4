/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Spark SQL on a folder of Parquet files, in a fresh JVM. Spark is called by reflection, so that nothing else is compiled against it.
 *
 * <p>Arguments: {@code write}, the folder, files, rows of a file; or {@code query}, the folder. Prints {@code DONE seconds rows hash}.
 */
public final class SparkWorkload {

    private static final String QUERY =
            "select k, count(*), sum(id), max(s) from t where id % 3 <> 0 group by k order by k";

    private SparkWorkload() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        Object builder = call(Class.forName("org.apache.spark.sql.SparkSession"), "builder");
        builder = call(builder, "master", "local[2]");
        builder = call(builder, "appName", "foresight");
        builder = call(builder, "config", "spark.ui.enabled", "false");
        builder = call(builder, "config", "spark.driver.host", "localhost");
        builder = call(builder, "config", "spark.driver.bindAddress", "127.0.0.1");
        builder = call(builder, "config", "spark.sql.shuffle.partitions", "2");
        Object spark = call(builder, "getOrCreate");
        if (args[0].equals("write")) {
            int files = Integer.parseInt(args[2]);
            Object rows = call(spark, "range", 0L, Long.parseLong(args[3]) * files, 1L, files);
            String[] columns = {"id", "id % 97 as k", "cast(id as string) as s"};
            Object writer = call(call(rows, "selectExpr", new Object[] {columns}), "write");
            call(writer, "parquet", args[1]);
            System.out.println("DONE 0 0 0");
        } else {
            long begin = System.nanoTime();
            Object reader = call(spark, "read");
            call(call(reader, "parquet", new Object[] {new String[] {args[1]}}), "createOrReplaceTempView", "t");
            List<?> result = (List<?>) call(call(spark, "sql", QUERY), "collectAsList");
            double seconds = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "DONE %.3f %d %d%n",
                    seconds,
                    result.size(),
                    result.toString().hashCode());
        }
        call(spark, "stop");
    }

    /** Calls a public method of an object, or a static one of a class, by its name and its arguments. */
    private static Object call(Object target, String name, Object... arguments) throws ReflectiveOperationException {
        Class<?> type = target instanceof Class<?> given ? given : target.getClass();
        Method method = Stream.of(type.getMethods())
                .filter(each -> each.getName().equals(name) && accepts(each.getParameterTypes(), arguments))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(type + "." + name + Arrays.toString(arguments)));
        method.setAccessible(true);
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(name + " failed", e.getCause());
        }
    }

    private static boolean accepts(Class<?>[] parameters, Object[] arguments) {
        if (parameters.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < parameters.length; i++) {
            Class<?> argument = arguments[i].getClass();
            boolean number = parameters[i] == long.class && argument == Long.class
                    || parameters[i] == int.class && argument == Integer.class;
            if (!number && !parameters[i].isAssignableFrom(argument)) {
                return false;
            }
        }
        return true;
    }
}
