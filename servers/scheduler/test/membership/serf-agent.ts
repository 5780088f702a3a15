import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A real Serf agent on loopback. */
export interface SerfAgent {
  readonly gossip: string;
  readonly rpc: string;
  /** Ends it without a word to the others. */
  kill(): Promise<void>;
}

/** Starts a Serf agent that detects failures in seconds. */
export async function startSerf(name: string): Promise<SerfAgent> {
  const [gossipPort, rpcPort] = [await freePort(), await freePort()];
  const gossip = `127.0.0.1:${gossipPort}`;
  const rpc = `127.0.0.1:${rpcPort}`;
  const agent = spawn(
    'serf',
    ['agent', '-node', name, '-bind', gossip, '-rpc-addr', rpc, '-profile', 'local'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await saysThatItRuns(agent);
  return {
    gossip,
    rpc,
    async kill() {
      if (agent.exitCode !== null || agent.signalCode !== null) return;
      agent.kill('SIGKILL');
      await once(agent, 'exit');
    },
  };
}

function saysThatItRuns(agent: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    agent.once('exit', () => reject(new Error(`serf did not start: ${text}`)));
    agent.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Serf agent running')) resolve();
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
