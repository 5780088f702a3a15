import { spawn } from 'node:child_process';

/** A client of the Language Server Protocol (3.17) over standard input and output. */
export interface LanguageClient {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** The diagnostics of a document for this version of it. */
  diagnosticsOf(uri: string, version: number): Promise<readonly Reported[]>;
  close(): Promise<void>;
}

export interface Reported {
  readonly severity: number;
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: DocumentPosition; readonly end: DocumentPosition };
}

export interface DocumentPosition {
  readonly line: number;
  readonly character: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly uri: string;
    readonly version?: number;
    readonly diagnostics: readonly Reported[];
  };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export function startLanguageServer(main: string): LanguageClient {
  const child = spawn(process.execPath, [main, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  const reported = new Map<string, readonly Reported[]>();
  const listeners = new Set<() => void>();
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, Math.max(end, 0)))?.[1],
      );
      if (end < 0 || buffer.length < end + 4 + length) return;
      receive(JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length)) as Message);
      buffer = buffer.subarray(end + 4 + length);
    }
  });
  function receive({ id, method, params, result, error }: Message): void {
    if (method === 'textDocument/publishDiagnostics' && params !== undefined) {
      reported.set(`${params.uri} ${params.version}`, params.diagnostics);
      for (const listener of listeners) listener();
    } else if (method !== undefined && id !== undefined) {
      send({ id, result: null });
    } else if (id !== undefined) {
      const requested = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) requested?.resolve(result);
      else requested?.reject(new Error(error.message));
    }
  }
  function send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  }
  let count = 0;
  const client: LanguageClient = {
    request(method, params) {
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
    diagnosticsOf: (uri, version) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = reported.get(`${uri} ${version}`);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    async close() {
      await client.request('shutdown', {});
      send({ method: 'exit' });
      await ended;
    },
  };
  return client;
}
