import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way through the network to one port of loopback, which can be interrupted. */
export interface NetworkProxy {
  readonly port: number;
  /** Forwards nothing any more, and says nothing of it: connections stay open, as when a cable is pulled. */
  silence(): void;
  /** Closes all connections and refuses new ones at once, as when a machine has been switched off. */
  refuse(): void;
  /** Forwards again; what was held back meanwhile is lost with its connection. */
  heal(): void;
  close(): Promise<void>;
}

type Mode = 'forward' | 'silence' | 'refuse';

export async function startNetworkProxy(target: number): Promise<NetworkProxy> {
  let mode: Mode = 'forward';
  const sockets = new Set<Socket>();

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  }

  function closeAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    track(near);
    if (mode === 'refuse') near.resetAndDestroy();
    if (mode !== 'forward') return;
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    track(far);
    join(near, far, () => mode === 'forward');
    join(far, near, () => mode === 'forward');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => void (mode = 'silence'),
    refuse() {
      mode = 'refuse';
      closeAll();
    },
    heal() {
      mode = 'forward';
      closeAll();
    },
    async close() {
      const closed = once(server.close(), 'close');
      closeAll();
      await closed;
    },
  };
}

/** Hands on what comes from one side to the other, and its end, for as long as that is allowed. */
function join(from: Socket, to: Socket, mayPass: () => boolean): void {
  from.on('data', (data) => void (mayPass() && to.write(data)));
  from.on('end', () => void (mayPass() && to.end()));
  from.on('close', () => void (mayPass() && to.destroy()));
}
