import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { definePolicy } from '../../src/entries/access.js';
import { listEndpoint } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';
import { browserPath, launch, whyNoBrowser } from '../support/browser.js';
import type { Check, ImportPackage } from './support.js';

interface ValidatorModule {
  Validator: new () => {
    validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
  };
}

/** Validates a document with the fragments of three lists, and renders it with Swagger UI. */
export async function checkDocument(check: Check, own: ImportPackage, extra: string): Promise<string[]> {
  const { Validator } = (await own('@seriousme/openapi-schema-validator')) as ValidatorModule;
  const schema = defineSchema({
    ID: t.string,
    Team: t.string,
    Status: t.oneOf('running', 'dead'),
    Started: t.nullable(t.time('ms')),
    Volumes: t.list(t.struct({ Name: t.string, Size: t.bytes('MiB') })),
  });
  const table = createTable(schema, { key: 'ID', indexes: ['Team'], sorts: ['Started'] });
  table.put({ ID: 'api', Team: 'web', Status: 'running', Started: null, Volumes: [] });
  const policy = definePolicy({
    schema,
    caller: defineSchema({ team: t.string }),
    actions: ['read'],
    rules: [{ effect: 'allow', actions: ['read'], when: 'Team == @caller.team' }],
  });
  const jobs = listEndpoint(table, {
    caller: () => ({ team: 'web' }),
    access: (caller) => policy.access(caller, 'read'),
    rename: { per_page: 'limit', 'X-Index': 'X-Jobs-Index' },
    fieldParameters: { status: 'Status' },
  });
  const names = listEndpoint(table, { serialize: ({ ID }) => ({ id: ID }) });
  const fragments = [
    jobs.openapi('/v1/jobs', 'Job'),
    names.openapi('/v1/names'),
    listEndpoint(table).openapi('/v1/teams/{team}/jobs', 'TeamJob'),
  ];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Jobs', version: '1' },
    paths: Object.assign({}, ...fragments.map(({ paths }) => paths)) as object,
    components: {
      schemas: Object.assign({}, ...fragments.map(({ components }) => components.schemas)) as object,
    },
  };
  const { valid, errors = [] } = await new Validator().validate(structuredClone(document));
  check('validator', [valid, errors], [true, []]);
  if (browserPath === null) {
    check('browser', whyNoBrowser, null);
    return [];
  }

  const files = join(extra, 'node_modules/swagger-ui-dist');
  const page = `<!doctype html><meta charset="utf-8"><title>Jobs</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/swagger-ui.css"><div id="ui"></div>
    <script src="/swagger-ui-bundle.js"></script><script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui' })</script>`;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/v1/jobs')) return jobs.node(request, response);
    if (path === '/') return response.setHeader('Content-Type', 'text/html').end(page);
    if (path === '/openapi.json') return response.end(JSON.stringify(document));
    const name = /^\/(swagger-ui(-bundle\.js|\.css))$/.exec(path)?.[1];
    if (name === undefined) return response.writeHead(404).end();
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return response.setHeader('Content-Type', type).end(readFileSync(join(files, name)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    const reported: string[] = [];
    tab.on('pageerror', (error) => reported.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error') reported.push(message.text());
    });
    await tab.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    await tab.locator('.opblock').first().waitFor();
    check('operations', await tab.locator('.opblock').count(), 3);
    for (const summary of await tab.locator('.opblock-summary-control').all()) await summary.click();
    await tab.locator('.opblock .responses-table').nth(2).waitFor();
    await tab.locator('.opblock').first().getByRole('button', { name: 'Try it out' }).click();
    await tab.locator('.opblock').first().getByPlaceholder('filter').fill('Status == running');
    await tab.locator('.opblock').first().getByRole('button', { name: 'Execute' }).click();
    await tab.locator('.live-responses-table .response-col_status').first().waitFor();
    const live = tab.locator('.live-responses-table tr.response');
    check('executed', await live.locator('.response-col_status').innerText(), /^200/);
    check('response', await live.innerText(), /"ID": "api"/);
    check('shown errors', await tab.locator('.errors-wrapper').count(), 0);
    check('errors of the page', reported, []);
  } finally {
    await browser.close();
    server.close();
  }
  return ['valid by @seriousme/openapi-schema-validator', '3 operations in Swagger UI', 'a request from it'];
}
