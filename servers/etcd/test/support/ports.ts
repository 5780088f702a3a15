import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections, so that a server which was killed finds its own again. */
const [lowest, highest] = [15_000, 30_000];
const claimed = new Set<number>();

/** A port of loopback without a listener, which was not returned before. */
export async function claimPort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (claimed.has(port)) continue;
    claimed.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
}
