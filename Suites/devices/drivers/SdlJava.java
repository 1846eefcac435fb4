// An app on sdl_java_suite (JavaSE): what its developer writes, and the socket that the library leaves to him.
import com.smartdevicelink.managers.SdlManager;
import com.smartdevicelink.managers.SdlManagerListener;
import com.smartdevicelink.managers.lifecycle.LifecycleConfigurationUpdate;
import com.smartdevicelink.proxy.rpc.enums.AppHMIType;
import com.smartdevicelink.proxy.rpc.enums.Language;
import com.smartdevicelink.transport.CustomTransport;
import com.smartdevicelink.transport.CustomTransportConfig;
import com.smartdevicelink.util.SystemInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.Vector;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class SdlJava {
    static class Tcp extends CustomTransport {
        private final Socket socket;
        private boolean hasStopped;

        Tcp() throws IOException {
            super("tcp");
            socket = new Socket(System.getenv("SDL_HOST"), Integer.parseInt(System.getenv("SDL_PORT")));
            socket.setTcpNoDelay(true);
        }

        @Override public void start() {
            super.start();
            Thread reader = new Thread(() -> {
                byte[] bytes = new byte[65536];
                try {
                    InputStream input = socket.getInputStream();
                    for (int count; (count = input.read(bytes)) > 0; ) onByteArrayReceived(bytes, 0, count);
                } catch (IOException end) { System.out.println(end); }
                stop();
            });
            reader.setDaemon(true);
            reader.start();
        }

        @Override public synchronized void stop() {
            if (hasStopped) return;
            hasStopped = true;
            try { socket.close(); } catch (IOException end) { System.out.println(end); }
            super.stop();
        }

        @Override public void onWrite(byte[] bytes, int offset, int length) {
            try { socket.getOutputStream().write(bytes, offset, length); } catch (IOException end) { System.out.println(end); }
        }
    }

    public static void main(String[] arguments) throws IOException {
        SdlManagerListener listener = new SdlManagerListener() {
            public void onStart(SdlManager manager) { System.out.println("started"); }
            public void onDestroy(SdlManager manager) { System.out.println("destroyed"); }
            public void onError(SdlManager manager, String info, Exception error) { System.out.println(info); }
            public LifecycleConfigurationUpdate managerShouldUpdateLifecycle(Language language, Language display) { return null; }
            public boolean onSystemInfoReceived(SystemInfo info) { return true; }
        };
        Vector<AppHMIType> types = new Vector<>();
        types.add(AppHMIType.DEFAULT);
        SdlManager.Builder builder = new SdlManager.Builder("conform", "Conform", listener);
        builder.setAppTypes(types);
        builder.setLanguage(Language.EN_US);
        builder.setTransportType(new CustomTransportConfig(new Tcp()));
        builder.build().start();
        // One line of JSON-RPC asks for a sign of life.
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            Matcher id = Pattern.compile("\"id\": *([0-9]+)").matcher(line);
            if (id.find()) System.out.println("{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":\"here\"}");
        }
    }
}
