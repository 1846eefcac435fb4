// An app on sdl_java_suite (JavaSE): what its developer writes, and the socket that the library leaves to the developer.
import com.smartdevicelink.managers.SdlManager;
import com.smartdevicelink.managers.SdlManagerListener;
import com.smartdevicelink.managers.file.filetypes.SdlArtwork;
import com.smartdevicelink.managers.lifecycle.LifecycleConfigurationUpdate;
import com.smartdevicelink.protocol.enums.FunctionID;
import com.smartdevicelink.proxy.RPCNotification;
import com.smartdevicelink.proxy.rpc.OnHMIStatus;
import com.smartdevicelink.proxy.rpc.TTSChunk;
import com.smartdevicelink.proxy.rpc.enums.AppHMIType;
import com.smartdevicelink.proxy.rpc.enums.FileType;
import com.smartdevicelink.proxy.rpc.enums.HMILevel;
import com.smartdevicelink.proxy.rpc.enums.Language;
import com.smartdevicelink.proxy.rpc.enums.SpeechCapabilities;
import com.smartdevicelink.proxy.rpc.listeners.OnRPCNotificationListener;
import com.smartdevicelink.transport.CustomTransport;
import com.smartdevicelink.transport.CustomTransportConfig;
import com.smartdevicelink.util.SystemInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Vector;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

public class SdlJava {
    static class Tcp extends CustomTransport {
        private final Socket socket;
        private boolean hasStopped;

        Tcp(Socket socket) throws IOException {
            super("tcp");
            this.socket = socket;
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

    static final JSONObject given = configuration();
    static volatile SdlManager manager;
    static volatile boolean isStopping;

    static JSONObject configuration() {
        String text = System.getenv("CONFORM_CONFIG");
        try { return new JSONObject(text == null ? "{}" : text); } catch (JSONException fault) { throw new IllegalArgumentException(fault); }
    }

    /** Connects as soon as the head unit listens, and registers. */
    static void start() {
        while (true) {
            try {
                register(new Tcp(new Socket(System.getenv("SDL_HOST"), Integer.parseInt(System.getenv("SDL_PORT")))));
                return;
            } catch (IOException refused) { pause(); }
        }
    }

    static void pause() {
        try { Thread.sleep(500); } catch (InterruptedException end) { Thread.currentThread().interrupt(); }
    }

    static void register(Tcp transport) {
        SdlManagerListener listener = new SdlManagerListener() {
            public void onStart(SdlManager manager) { System.out.println("started"); }
            public void onDestroy(SdlManager manager) {
                System.out.println("destroyed");
                if (!isStopping) new Thread(() -> { pause(); start(); }).start();
            }
            public void onError(SdlManager manager, String info, Exception error) { System.out.println(info); }
            public LifecycleConfigurationUpdate managerShouldUpdateLifecycle(Language language, Language display) { return null; }
            public boolean onSystemInfoReceived(SystemInfo info) { return true; }
        };
        Vector<AppHMIType> types = new Vector<>();
        types.add(AppHMIType.DEFAULT);
        Vector<TTSChunk> names = new Vector<>();
        JSONArray spoken = given.optJSONArray("ttsName"), commands = given.optJSONArray("voiceRecognitionCommandNames");
        for (int index = 0; spoken != null && index < spoken.length(); index++) {
            JSONObject chunk = spoken.optJSONObject(index);
            names.add(new TTSChunk(chunk.optString("text"), SpeechCapabilities.valueForString(chunk.optString("type"))));
        }
        Vector<String> synonyms = new Vector<>();
        for (int index = 0; commands != null && index < commands.length(); index++) synonyms.add(commands.optString(index));
        Map<FunctionID, OnRPCNotificationListener> notified = new HashMap<>();
        notified.put(FunctionID.ON_HMI_STATUS, new OnRPCNotificationListener() {
            @Override public void onNotified(RPCNotification status) {
                if (((OnHMIStatus) status).getHmiLevel() == HMILevel.HMI_FULL) show();
            }
        });
        SdlManager.Builder builder = new SdlManager.Builder(given.optString("appID", "conform"), given.optString("appName", "Conform"), listener);
        builder.setAppTypes(types);
        builder.setLanguage(Language.valueForString(given.optString("language", "EN-US")));
        builder.setTransportType(new CustomTransportConfig(transport));
        builder.setRPCNotificationListeners(notified);
        if (!names.isEmpty()) builder.setTtsName(names);
        if (!synonyms.isEmpty()) builder.setVrSynonyms(synonyms);
        manager = builder.build();
        manager.start();
    }

    static void show() {
        JSONObject data = given.optJSONObject("managers"), text = given.optJSONObject("show");
        if (text != null) manager.getScreenManager().setTextField1(text.optString("mainField1"));
        JSONObject image = data == null ? null : data.optJSONObject("primaryGraphic");
        if (image == null) return;
        byte[] bytes = new byte[image.optInt("size", 64)];
        for (int index = 0; index < bytes.length; index++) bytes[index] = (byte) (index * 7);
        manager.getScreenManager().setPrimaryGraphic(
            new SdlArtwork(image.optString("name"), FileType.GRAPHIC_PNG, bytes, image.optBoolean("persistent", true)));
    }

    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> isStopping = true));
        start();
        // One line of JSON-RPC is a liveness probe.
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            System.out.println(new JSONObject().put("jsonrpc", "2.0").put("id", new JSONObject(line).get("id")).put("result", "here"));
        }
    }
}
