// An app on sdl_javascript_suite: what its developer writes, and nothing of the protocol.
const path = require('path');
const readline = require('readline');

const SDL = require(path.resolve(process.env.SDL_LIBRARY)).default;
const given = JSON.parse(process.env.CONFORM_CONFIG || '{}');
const { FunctionID, AppHMIType } = SDL.rpc.enums;
let manager;

function start () {
    const lifecycle = new SDL.manager.LifecycleConfig()
        .setAppId(given.appID || 'conform')
        .setAppName(given.appName || 'Conform')
        .setLanguageDesired(given.language || 'EN-US')
        .setHmiDisplayLanguageDesired(given.language || 'EN-US')
        .setAppTypes([AppHMIType.DEFAULT])
        .setTransportConfig(new SDL.transport.TcpClientConfig(process.env.SDL_HOST, Number(process.env.SDL_PORT)))
        .setRpcNotificationListeners({
            [FunctionID.OnHMIStatus]: status => {
                const text = given.show && given.show.mainField1;
                if (text && status.getHmiLevel() === 'FULL') manager.getScreenManager().setTextField1(text);
            },
        });
    const listener = new SDL.manager.SdlManagerListener().setOnError((_, info) => console.log('error:', info));
    manager = new SDL.manager.SdlManager(new SDL.manager.AppConfig().setLifecycleConfig(lifecycle), listener);
    manager.start();
}

// One line of JSON-RPC asks for a sign of life.
readline.createInterface({ input: process.stdin }).on('line', line => {
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: 'here' }));
});
start();
