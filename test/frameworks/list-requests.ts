import { once } from 'node:events';
import { request as nodeRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { listEndpoint, listPlugin } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';
import { carets, until, type Check, type ImportPackage, type Jobs, type Pool } from './support.js';

/** A served list, or the module of a route that is called with requests of the Fetch API. */
export interface Target {
  readonly url: string;
  readonly route?: unknown;
}

type Route = Readonly<Record<string, (request: Request) => Promise<Response>>>;

const web = { Authorization: 'Bearer w' };

/** Sends a list the requests that every host must serve in the same way. */
export async function requestList(
  check: Check,
  { url, route }: Target,
  jobs: Jobs,
  pool: Pool,
): Promise<string[]> {
  const send = async (query: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(`${url}${query}`, { ...init, headers: { ...web, ...init.headers } });
    if (route === undefined) return fetch(request);
    const handler = (route as Route)[request.method];
    return handler === undefined ? new Response(null, { status: 405 }) : handler(request);
  };
  const idsOf = async (response: Response): Promise<string[]> =>
    ((await response.json()) as { readonly ID: string }[]).map(({ ID }) => ID);

  const first = await send('?sort=-Priority&per_page=2&total=true');
  check('status', first.status, 200);
  check('total', first.headers.get('x-total-count'), '3');
  check('page', await idsOf(first), ['api', 'mail']);
  const token = first.headers.get('x-next-token') ?? '';
  const second = await send(`?sort=-Priority&per_page=2&next_token=${encodeURIComponent(token)}`);
  check('next page', await idsOf(second), ['site']);
  check('last page', second.headers.get('x-next-token'), null);

  check(
    'filter',
    await idsOf(await send(`?filter=${encodeURIComponent('Status == dead or Priority < 20')}`)),
    ['mail', 'site'],
  );
  const wrong = await send('?filter=Stauts+%3D%3D+dead');
  check('wrong filter', wrong.status, 400);
  check('carets', await wrong.text(), carets);
  const problem = await send('?filter=Stauts+%3D%3D+dead', {
    headers: { Accept: 'application/problem+json' },
  });
  check('problem', problem.headers.get('content-type'), 'application/problem+json');
  const { status, parameter, suggestions } = (await problem.json()) as Readonly<Record<string, unknown>>;
  check(
    'problem document',
    { status, parameter, suggestions },
    {
      status: 400,
      parameter: 'filter',
      suggestions: [{ span: { start: 0, end: 6 }, replacement: 'Status', title: 'write Status' }],
    },
  );

  check('other caller', await idsOf(await send('', { headers: { Authorization: 'Bearer d' } })), ['etl']);
  check('no caller', (await send('', { headers: { Authorization: 'x' } })).status, 401);
  check('hidden field', (await send('?filter=Team+%3D%3D+data')).status, 400);
  const head = await send('', { method: 'HEAD' });
  check('HEAD', [head.status, await head.text()], [200, '']);
  check('OPTIONS', (await send('', { method: 'OPTIONS' })).status, 204);
  if (route === undefined) check('POST', (await send('', { method: 'POST' })).status, 405);
  const tag = (await send('')).headers.get('etag') ?? '';
  check('If-None-Match', (await send('', { headers: { 'If-None-Match': tag } })).status, 304);

  const index = Number(second.headers.get('x-index'));
  const running = `?filter=${encodeURIComponent('Status == running')}&watch=result&changes&index=${String(index)}&wait=60s`;
  const woken = send(running);
  await until(() => pool.waiting === 1, 'the watch');
  jobs.put({ ID: 'cron', Team: 'data', Status: 'running', Priority: 1 }); // of another team
  jobs.put({ ID: 'mail', Team: 'web', Status: 'running', Priority: 30 });
  const changes = (await (await woken).json()) as { readonly entered: readonly unknown[] };
  check('watch', changes.entered, [{ ID: 'mail', Status: 'running', Priority: 30 }]);
  jobs.put({ ID: 'mail', Team: 'web', Status: 'dead', Priority: 30 });
  jobs.delete('cron');

  const leaving = new AbortController();
  const now = Number((await send('')).headers.get('x-index'));
  const aborted = send(`?index=${String(now)}&wait=60s`, { signal: leaving.signal }).catch(
    (error: unknown) => error,
  );
  await until(() => pool.waiting === 1, 'the long poll');
  leaving.abort();
  check('abort', (await aborted) instanceof Error, true);
  await until(() => pool.waiting === 0, 'the end of the aborted request');
  return ['pages', 'filters', 'errors', 'rights', 'HEAD and OPTIONS', '304', 'watch', 'abort'];
}

interface Modules {
  express: () => {
    use(middleware: unknown): void;
    get(path: string, handler: unknown): void;
    listen(port: number, host: string): Server;
  };
  fastify: () => {
    register(plugin: unknown, options?: unknown): Promise<void>;
    listen(options: object): Promise<string>;
    close(): Promise<void>;
  };
}

const length = 60_000;

/** Reads a list of many rows slowly through the compression of Express and of Fastify. */
export async function checkLongLists(check: Check, own: ImportPackage): Promise<string[]> {
  const { default: express } = (await own('express')) as { default: Modules['express'] };
  const { default: compression } = (await own('compression')) as { default: () => unknown };
  const { default: fastify } = (await own('fastify')) as { default: Modules['fastify'] };
  const { default: compress } = (await own('@fastify/compress')) as { default: unknown };
  const table = createTable(defineSchema({ ID: t.string, Text: t.string }), { key: 'ID' });
  // Letters that compress badly, so that the buffers of the connection fill up.
  table.putAll(
    Array.from({ length }, (_, at) => ({ ID: `r${String(at).padStart(6, '0')}`, Text: noise(at) })),
  );

  const app = express();
  app.use(compression());
  app.get('/rows', listEndpoint(table).node);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  check(
    'express',
    await readSlowly(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/rows`),
    length,
  );
  server.close();

  const other = fastify();
  await other.register(compress);
  await other.register(listPlugin, { '/rows': listEndpoint(table) });
  check('fastify', await readSlowly(`${await other.listen({ port: 0, host: '127.0.0.1' })}/rows`), length);
  await other.close();
  return [`${String(length)} rows through compression and @fastify/compress, read slowly`];
}

function noise(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state.toString(36);
  }).join('');
}

/** Returns how many rows a compressed list has, read with a pause after each piece. */
async function readSlowly(url: string): Promise<number> {
  const request = nodeRequest(url, { headers: { 'Accept-Encoding': 'gzip' } });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.headers['content-encoding'] !== 'gzip')
    throw new Error(`${url}: the response is not compressed`);
  const pieces: Buffer[] = [];
  for await (const piece of response) {
    pieces.push(piece as Buffer);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return (JSON.parse(gunzipSync(Buffer.concat(pieces)).toString()) as unknown[]).length;
}
