// An app on sdl_javascript_suite: only what its developer writes, without any part of the protocol.
const net = require('net');
const path = require('path');
const readline = require('readline');

const SDL = require(path.resolve(process.env.SDL_LIBRARY)).default;
const given = JSON.parse(process.env.CONFORM_CONFIG || '{}');
const { FunctionID, AppHMIType, FileType } = SDL.rpc.enums;
const lifecycle = new SDL.manager.LifecycleConfig()
    .setAppId(given.appID || 'conform')
    .setAppName(given.appName || 'Conform')
    .setLanguageDesired(given.language || 'EN-US')
    .setHmiDisplayLanguageDesired(given.language || 'EN-US')
    .setAppTypes([AppHMIType.DEFAULT])
    .setTransportConfig(new SDL.transport.TcpClientConfig(process.env.SDL_HOST, Number(process.env.SDL_PORT)))
    .setRpcNotificationListeners({
        [FunctionID.OnHMIStatus]: status => { if (status.getHmiLevel() === 'FULL') show(); },
    });
if (given.ttsName) {
    lifecycle.setTtsName(given.ttsName.map(({ text, type }) =>
        new SDL.rpc.structs.TTSChunk().setText(text).setType(type)));
}
if (given.voiceRecognitionCommandNames) lifecycle.setVrSynonyms(given.voiceRecognitionCommandNames);
let manager;

function show () {
    const screen = manager.getScreenManager();
    const text = given.show && given.show.mainField1;
    const image = given.managers && given.managers.primaryGraphic;
    if (text) screen.setTextField1(text);
    if (!image) return;
    screen.setPrimaryGraphic(new SDL.manager.file.filetypes.SdlArtwork(image.name, FileType.GRAPHIC_PNG)
        .setFileData(new Uint8Array(image.size || 64).map((_, index) => index * 7))
        .setPersistent(image.persistent !== false));
}

function start () {
    const listener = new SDL.manager.SdlManagerListener().setOnError((_, info) => console.log('error:', info));
    manager = new SDL.manager.SdlManager(new SDL.manager.AppConfig().setLifecycleConfig(lifecycle), listener);
    manager.start();
}

// The library has no callback for the end of its connection, so the socket is watched.
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...words) {
    this.once('close', () => setTimeout(start, 500));
    return connect.apply(this, words);
};

// One line of JSON-RPC is a liveness probe.
readline.createInterface({ input: process.stdin }).on('line', line => {
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: 'here' }));
});
start();
