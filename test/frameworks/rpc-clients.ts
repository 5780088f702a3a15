import { carets, type Check, type Jobs } from './support.js';

/** Sends requests to the procedures of tRPC, as its client writes them. */
export async function queryTrpc(check: Check, url: string, jobs: Jobs): Promise<string[]> {
  const get = (procedure: string, input: object, token = 'w', signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { Authorization: `Bearer ${token}` },
      ...(signal === undefined ? {} : { signal }),
    });
  const page = async (input: object, token?: string): Promise<Page> =>
    ((await (await get('jobs', input, token)).json()) as { readonly result: { readonly data: Page } }).result
      .data;
  const first = await page({ sort: '-Priority', perPage: 2 });
  check('page', idsOf(first), ['api', 'mail']);
  check('next page', idsOf(await page({ sort: '-Priority', perPage: 2, nextToken: first.nextToken })), [
    'site',
  ]);
  check('filter', idsOf(await page({ filter: 'Status == dead' })), ['mail']);
  check('other caller', idsOf(await page({}, 'd')), ['etl']);
  check('no caller', (await get('jobs', {}, 'x')).status, 401);
  check('unknown member', (await get('jobs', { access: null })).status, 400);
  const wrong = await get('jobs', { filter: 'Stauts == dead' });
  check('wrong filter', wrong.status, 400);
  const { error } = (await wrong.json()) as { readonly error: { readonly message: string } };
  check('carets', error.message, carets);
  check('wrong sort', (await get('jobs', { sort: 'Priorty' })).status, 400);

  const leaving = new AbortController();
  const watch = await get('watchJobs', { filter: 'Status == running' }, 'w', leaving.signal);
  const events = eventsOf(watch);
  const next = async (kind: string): Promise<Readonly<Record<string, unknown>>> => {
    const { done, value } = await events.next();
    if (done === true) throw new Error('the subscription has ended');
    return value['kind'] === kind ? value : next(kind);
  };
  check('watched page', idsOf((await next('page'))['page'] as Page), ['api', 'site']);
  jobs.put({ ID: 'mail', Team: 'web', Status: 'running', Priority: 30 });
  check('watched change', idsOf({ items: (await next('changes'))['entered'] as Page['items'] }), ['mail']);
  jobs.put({ ID: 'mail', Team: 'web', Status: 'dead', Priority: 30 });
  leaving.abort();
  return ['pages', 'filters', 'errors', 'rights', 'watch by a subscription', 'abort'];
}

interface Page {
  readonly items: readonly { readonly ID: string }[];
  readonly nextToken?: string | null;
}

function idsOf({ items }: Page): string[] {
  return items.map(({ ID }) => ID);
}

/** Yields the data of server-sent events. */
async function* eventsOf({ body }: Response): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data !== undefined && data.startsWith('{'))
        yield JSON.parse(data) as Readonly<Record<string, unknown>>;
    }
  }
}

interface GraphqlResult {
  readonly data?: { readonly jobs: Page & { readonly total?: number } } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** Sends queries of GraphQL. */
export async function queryGraphql(check: Check, url: string): Promise<string[]> {
  const query = `query ($filter: String, $sort: String, $perPage: Int, $nextToken: String) {
    jobs(filter: $filter, sort: $sort, perPage: $perPage, nextToken: $nextToken) { items { ID } nextToken total }
  }`;
  const run = async (variables: object, token = 'w'): Promise<GraphqlResult> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as GraphqlResult;
  };
  const first = (await run({ sort: '-Priority', perPage: 2 })).data?.jobs;
  check('page', first?.items, [{ ID: 'api' }, { ID: 'mail' }]);
  check('total', first?.total, 3);
  const second = await run({ sort: '-Priority', perPage: 2, nextToken: first?.nextToken });
  check('next page', second.data?.jobs.items, [{ ID: 'site' }]);
  check('filter', (await run({ filter: 'Status == dead' })).data?.jobs.items, [{ ID: 'mail' }]);
  check('other caller', (await run({}, 'd')).data?.jobs.items, [{ ID: 'etl' }]);
  check('no caller', (await run({}, 'x')).errors?.[0]?.extensions?.['code'], 'UNAUTHENTICATED');
  const [wrong] = (await run({ filter: 'Stauts == dead' })).errors ?? [];
  check('carets', wrong?.message, carets);
  check('code', wrong?.extensions?.['code'], 'BAD_USER_INPUT');
  check('wrong sort', (await run({ sort: 'Priorty' })).errors?.[0]?.extensions?.['reason'], 'invalid-sort');
  return ['pages', 'filters', 'errors', 'rights'];
}
