package feed.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.elasticsearch.bootstrap.BootstrapCheck;
import org.elasticsearch.bootstrap.BootstrapContext;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.transport.BoundTransportAddress;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * One Elasticsearch node for tests. Arguments: the directory with {@code lib} and {@code modules}, the directory with
 * {@code elasticsearch.yml} and {@code log4j2.properties}.
 *
 * In place of Elasticsearch's own launcher, which refuses to run as root (containers of builds often do) and needs
 * parts of a JDK that a runtime has not. What that launcher adds is left out: checks for production, entitlements,
 * system call filters.
 */
public final class Main {
    private static final int CLOSE_TIMEOUT_S = 20;

    public static void main(String[] args) throws Exception {
        Environment environment = environment(args[0], Path.of(args[1]));
        LogConfigurator.registerErrorListener();
        LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(environment.settings()));
        LogConfigurator.configure(environment, true);

        Node node = new LocalNode(environment);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, closed), "close"));
        node.start();
        closed.await();
    }

    private static Environment environment(String home, Path configuration) {
        Map<String, String> settings = Map.of("path.home", home);
        return InternalSettingsPreparer.prepareEnvironment(Settings.EMPTY, settings, configuration, () -> "local");
    }

    private static void close(Node node, CountDownLatch closed) {
        try {
            node.prepareForClose();
            node.close();
            node.awaitClose(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (Exception failure) {
            failure.printStackTrace();
        } finally {
            closed.countDown();
        }
    }

    private static final class LocalNode extends Node {
        LocalNode(Environment environment) {
            super(environment, plugins(environment));
        }

        private static PluginsLoader plugins(Environment environment) {
            return PluginsLoader.createPluginsLoader(
                PluginsLoader.loadModulesBundles(environment.modulesDir(), false),
                PluginsLoader.loadPluginsBundles(environment.pluginsDir(), false),
                Map.of(),
                false);
        }

        /** A node on the loopback address need not be fit for production. */
        @Override
        protected void validateNodeBeforeAcceptingRequests(
            BootstrapContext context, BoundTransportAddress address, List<BootstrapCheck> checks) {
        }
    }
}
