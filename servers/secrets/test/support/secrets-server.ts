import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { cloudMount } from '../../src/auth/cloud/method-type.js';
import type { AuthMount } from '../../src/auth/method-type.js';
import type { AuthMethod } from '../../src/auth/method.js';
import type { Clock } from '../../src/base/clock.js';
import type { Logger } from '../../src/base/logger.js';
import { createSecretsServer, type SecretsServer } from '../../src/server/server.js';
import {
  defaultListener,
  defaultServerConfig,
  type ListenerConfig,
  type ServerConfig,
} from '../../src/server/server-config.js';
import type { StoreElection } from '../../src/storage/driver.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { RootStorage, Storage } from '../../src/storage/storage.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import { createFakeMethod } from './fake-method.js';

/** One line of the log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function createMemoryLogger(): Logger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // The tests look into bodies of many shapes.
  readonly body: TestBody;
}

export interface TestBody {
  readonly errors?: readonly string[];
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: Readonly<Record<string, unknown>> | null;
  readonly warnings?: readonly string[] | null;
  readonly [name: string]: unknown;
}

export interface CallOptions {
  /** Null sends no token; the root token when left out. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which listener, counted from 0. */
  readonly listener?: number;
  readonly ca?: string;
}

export interface TestServer {
  readonly server: SecretsServer;
  readonly clock: FakeClock;
  readonly logger: ReturnType<typeof createMemoryLogger>;
  readonly addresses: readonly string[];
  /** One request on a connection of its own; `path` is below `/v1/` unless it begins with a slash. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly config?: Partial<Omit<ServerConfig, 'listeners'>>;
  readonly listeners?: readonly Partial<ListenerConfig>[];
  readonly storage?: RootStorage;
  readonly auditSink?: AuditSink;
  /** The one mount, where the configuration names none: at `auth/cloud` unless this says otherwise. */
  readonly mount?: Partial<AuthMount>;
  /** The method of the one mount. */
  readonly createMethod?: (storage: Storage) => AuthMethod;
  readonly environment?: Readonly<Record<string, string>>;
  readonly fetch?: typeof globalThis.fetch;
  /** False leaves the server as it is found: not initialized, or sealed. */
  readonly unsealed?: boolean;
  readonly clock?: FakeClock;
  /** Of a store that servers share, whose time is that of the machine. */
  readonly election?: StoreElection | null;
  readonly systemClock?: Clock;
}

export const rootToken = 'root-of-the-tests';

/** A server on free ports of loopback, in memory and unsealed, with a method that believes everybody. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = options.clock ?? createFakeClock();
  const logger = createMemoryLogger();
  const createMethod = options.createMethod ?? createFakeMethod;
  const mount = {
    ...cloudMount(),
    createMethod: ({ storage }: { storage: Storage }) => createMethod(storage),
  };
  const config: ServerConfig = {
    ...defaultServerConfig,
    auth: [{ ...mount, ...options.mount }],
    ...options.config,
    listeners: (options.listeners ?? [{}]).map((listener) => ({ ...defaultListener, port: 0, ...listener })),
  };
  const server = createSecretsServer(config, {
    clock: options.systemClock ?? clock,
    randomBytes,
    uuid: randomUUID,
    logger,
    storage: options.storage ?? createMemoryStorage(),
    election: options.election ?? null,
    auditSink: options.auditSink ?? null,
    readText: (file) => readFile(file, 'utf8'),
    readSecret: (file) => readFile(file, 'utf8'),
    fetch: options.fetch ?? (() => Promise.reject(new Error('nobody is asked'))),
    environment: options.environment ?? {},
    random: () => 0.4,
    version: '1.9.0',
  });
  if (options.unsealed !== false) await server.startUnsealed(rootToken);
  const addresses = await server.listen();
  return {
    server,
    clock,
    logger,
    addresses,
    call: (method, path, call = {}) => send(addresses[call.listener ?? 0]!, method, path, call),
    close: () => server.close(),
  };
}

function send(address: string, method: string, path: string, options: CallOptions): Promise<TestResponse> {
  const { token = rootToken, body, headers = {}, ca } = options;
  const { protocol, hostname, port } = new URL(address);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  const isChunked = headers['Transfer-Encoding'] !== undefined;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname,
        port,
        // As it is written: a URL would tidy it up.
        path: path.startsWith('/') ? path : `/v1/${path}`,
        method,
        agent: false,
        ...(ca !== undefined && { ca }),
        headers: {
          ...(token !== null && { 'X-Secrets-Token': token }),
          ...(text !== undefined && !isChunked && { 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const received = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type'] === 'application/json' && received !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: received,
            body: isJson ? (JSON.parse(received) as TestBody) : {},
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
