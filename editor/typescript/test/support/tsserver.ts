import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A running `tsserver`, spoken to by its own protocol: one JSON object a line. */
export interface TsServer {
  send(command: string, args: object): void;
  /** The body of the response; null if the server has none. */
  request(command: string, args: object): Promise<unknown>;
  close(): Promise<void>;
}

interface Result {
  readonly type: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

/** @param main the file `tsserver.js` of a TypeScript */
export function startTsServer(main: string, folder: string): TsServer {
  const args = [
    main,
    '--allowLocalPluginLoads',
    '--pluginProbeLocations',
    folder,
    '--disableAutomaticTypingAcquisition',
  ];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const waiting = new Map<number, { resolve(body: unknown): void; reject(error: Error): void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const result = JSON.parse(line) as Result;
    if (result.type !== 'response' || result.request_seq === undefined) return;
    const requested = waiting.get(result.request_seq);
    waiting.delete(result.request_seq);
    if (result.success === false && result.message !== 'No content available.')
      requested?.reject(new Error(result.message));
    else requested?.resolve(result.body ?? null);
  });
  void ended.then(() => {
    for (const each of waiting.values()) each.reject(new Error('tsserver has ended'));
  });
  let count = 0;
  const send = (command: string, given: object): number => {
    count += 1;
    child.stdin.write(`${JSON.stringify({ seq: count, type: 'request', command, arguments: given })}\n`);
    return count;
  };
  return {
    send: (command, given) => void send(command, given),
    request: (command, given) =>
      new Promise((resolve, reject) => void waiting.set(send(command, given), { resolve, reject })),
    async close() {
      child.kill();
      await ended;
    },
  };
}
