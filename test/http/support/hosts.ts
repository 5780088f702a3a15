import { createServer, request as nodeRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { listPlugin, type Endpoint } from '../../../src/entries/http.js';

/** What a client gets, whatever the host. */
export interface Got {
  readonly status: number;
  /** By their names in small letters, without those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface TestQuery {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One endpoint on each of the hosts. */
export interface Hosts {
  readonly names: readonly HostName[];
  run(host: HostName, query: string, parsedQuery?: TestQuery): Promise<Got>;
  /** How programs reach a host: its address, and what takes the place of `fetch` where it has none. */
  reach(host: HostName): { readonly url: string; readonly fetch: typeof fetch };
  /** Breaks every connection that there is. */
  cut(): void;
  close(): Promise<void>;
}

export type HostName = 'fetch' | 'node' | 'fastify';

/** Headers that belong to a connection and not to a response. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export const path = '/v1/list';

/** Serves an endpoint on real sockets, and as a function. */
export async function openHosts(endpoint: Endpoint): Promise<Hosts> {
  const server = createServer((incoming, outgoing) => endpoint.node(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const app = fastify({ logger: false });
  await app.register(listPlugin, { [path]: endpoint });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const ports = { node: portOf(server), fastify: portOf(app.server) };
  let broken = new AbortController();
  return {
    names: ['fetch', 'node', 'fastify'],
    reach: (host) =>
      host === 'fetch'
        ? {
            url: `http://list.example${path}`,
            fetch: (url, init) => within(endpoint, url, init, broken.signal),
          }
        : { url: `http://127.0.0.1:${ports[host]}${path}`, fetch },
    cut() {
      broken.abort(new TypeError('The connection is cut'));
      broken = new AbortController();
      server.closeAllConnections();
      app.server.closeAllConnections();
    },
    run: (host, query, parsedQuery = {}) =>
      host === 'fetch'
        ? fetchList(endpoint, query, parsedQuery)
        : sendToSocket(ports[host], query, parsedQuery),
    async close() {
      await app.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}

/** A call of an endpoint in this process that can be cut as a connection can. */
function within(
  { fetch: response }: Endpoint,
  url: string | URL | Request,
  init: RequestInit | undefined,
  broken: AbortSignal,
): Promise<Response> {
  const given = init?.signal ?? null;
  const signal = AbortSignal.any([broken, ...(given === null ? [] : [given])]);
  return response(new Request(url, { ...init, signal }));
}

async function fetchList(
  { fetch }: Endpoint,
  query: string,
  { method = 'GET', headers = {}, signal = null as never }: TestQuery,
): Promise<Got> {
  const response = await fetch(
    new Request(`http://list.example${path}${query}`, { method, headers, signal }),
  );
  return {
    status: response.status,
    headers: own([...response.headers]),
    text: await response.text(),
  };
}

function sendToSocket(port: number, query: string, parsedQuery: TestQuery): Promise<Got> {
  const { method = 'GET', headers = {}, signal } = parsedQuery;
  return new Promise((resolve, reject) => {
    const target = {
      host: '127.0.0.1',
      port,
      path: `${path}${query}`,
      method,
      headers,
      agent: false,
    } as const;
    const outgoing = nodeRequest({ ...target, ...(signal === undefined ? {} : { signal }) }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: own(Object.entries(incoming.headers) as [string, string][]),
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function own(headers: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers
      .filter(([name]) => !ofConnection.has(name))
      .map(([name, value]) => [name, String(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
