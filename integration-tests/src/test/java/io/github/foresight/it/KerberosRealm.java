/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A Kerberos server in this process, the principals of daemons and users, and the properties of a cluster with Kerberos logins only. This process
 * also logs in by Kerberos until the realm is closed; closing restores the process's state. Not thread-safe.
 */
final class KerberosRealm implements AutoCloseable {

    private static final String HOST = "localhost";

    private final MiniKdc kdc;
    private final Path folder;

    private KerberosRealm(MiniKdc kdc, Path folder) {
        this.kdc = kdc;
        this.folder = folder;
    }

    /** Starts the server, with a keytab for each daemon and for each user. */
    static KerberosRealm start(Path folder, String... users) throws Exception {
        Files.createDirectories(folder);
        Properties properties = MiniKdc.createConf();
        properties.setProperty(MiniKdc.KDC_BIND_ADDRESS, HOST);
        MiniKdc kdc = new MiniKdc(properties, folder.toFile());
        kdc.start();
        KerberosRealm realm = new KerberosRealm(kdc, folder);
        kdc.createPrincipal(realm.keytab("nn").toFile(), "nn/" + HOST, "HTTP/" + HOST);
        kdc.createPrincipal(realm.keytab("dn").toFile(), "dn/" + HOST);
        for (String user : users) {
            kdc.createPrincipal(realm.keytab(user).toFile(), user);
        }
        return realm;
    }

    private Path keytab(String user) {
        return folder.resolve(user + ".keytab");
    }

    private String principal(String name) {
        return name + "@" + kdc.getRealm();
    }

    /** Returns the JVM option that names the server. */
    String javaOption() {
        return "-D" + MiniKdc.JAVA_SECURITY_KRB5_CONF + "=" + kdc.getKrb5conf().getAbsolutePath();
    }

    /** Returns the properties for the configuration of daemons and clients. */
    Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("hadoop.security.authentication", "kerberos");
        properties.put("hadoop.security.authorization", "true");
        properties.put("hadoop.rpc.protection", "privacy");
        properties.put("hadoop.security.auth_to_local", "RULE:[1:$1] RULE:[2:$1]");
        properties.put("dfs.block.access.token.enable", "true");
        properties.put("dfs.encrypt.data.transfer", "true");
        properties.put("dfs.encrypt.data.transfer.cipher.suites", "AES/CTR/NoPadding");
        properties.put("dfs.namenode.kerberos.principal", principal("nn/" + HOST));
        properties.put("dfs.namenode.keytab.file", keytab("nn").toString());
        properties.put("dfs.namenode.kerberos.internal.spnego.principal", principal("HTTP/" + HOST));
        properties.put("dfs.web.authentication.kerberos.principal", principal("HTTP/" + HOST));
        properties.put("dfs.web.authentication.kerberos.keytab", keytab("nn").toString());
        properties.put("dfs.datanode.kerberos.principal", principal("dn/" + HOST));
        properties.put("dfs.datanode.keytab.file", keytab("dn").toString());
        // Without this property, DataNodes require privileged ports or HTTPS.
        properties.put("ignore.secure.ports.for.testing", "true");
        return properties;
    }

    /** Makes this process log in by Kerberos. */
    void enter(Configuration conf) {
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(conf);
    }

    /** Logs in a user that has a keytab. */
    UserGroupInformation login(String user) throws IOException {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                principal(user.equals("nn") ? "nn/" + HOST : user), keytab(user).toString());
    }

    @Override
    public void close() {
        kdc.stop();
        System.clearProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF);
        UserGroupInformation.reset();
        UserGroupInformation.setConfiguration(new Configuration());
    }
}
