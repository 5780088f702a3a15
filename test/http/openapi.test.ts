import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { definePolicy } from '../../src/entries/access.js';
import { listEndpoint, type Endpoint } from '../../src/entries/http.js';
import { arraySource } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.oneOf('running', 'dead'),
  Team: t.string,
  Priority: t.nullable(t.int),
  Started: t.time('ms'),
  Volumes: t.list(t.struct({ Name: t.string, Size: t.bytes('MiB') })),
  Meta: t.map(t.string),
  Secret: t.hidden(t.string),
});
const jobs = createTable(schema, { key: 'ID', indexes: ['Status'], sorts: ['Priority'] });
const policy = definePolicy({
  schema,
  caller: defineSchema({ team: t.string }),
  actions: ['read'],
  rules: [{ effect: 'allow', actions: ['read'], when: 'Team == @caller.team' }],
});

const endpoints: readonly (readonly [title: string, endpoint: Endpoint])[] = [
  ['a table', listEndpoint(jobs)],
  ['an array', listEndpoint(arraySource(defineSchema({ ID: t.string }), () => [], { key: 'ID' }))],
  [
    'a list with access, rename, fieldParameters and fields',
    listEndpoint(jobs, {
      caller: (head) => ({ team: head.header('x-team') ?? '' }),
      access: (caller) => policy.access(caller, 'read'),
      rename: { per_page: 'limit', 'X-Index': 'X-Jobs-Index' },
      fieldParameters: { status: 'Status' },
      parameters: { verbose: 'Whether entries have all fields.' },
      fields: ['ID', 'Status', 'Priority'],
      quiet: true,
    }),
  ],
  ['a list with serialize', listEndpoint(jobs, { serialize: ({ ID }) => ({ id: ID }) })],
];

/** Returns a whole document with the fragment of an endpoint. */
const documentOf = (endpoint: Endpoint, path: string, name?: string) => ({
  openapi: '3.1.0',
  info: { title: 'Jobs', version: '1' },
  ...endpoint.openapi(path, name),
});

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

const operationOf = (endpoint: Endpoint, path: string): Operation =>
  endpoint.openapi(path).paths[path]?.['get'] as Operation;

describe('openapi', () => {
  it.each(endpoints)('returns a valid fragment for %s', async (_, endpoint) => {
    for (const path of ['/v1/jobs', '/', '/v1/teams/{team}/jobs']) {
      const { valid, errors } = await new Validator().validate(documentOf(endpoint, path, 'Job'));
      expect(errors ?? []).toEqual([]);
      expect(valid).toBe(true);
    }
  });

  it('describes the page by its media type', () => {
    const { content } = operationOf(listEndpoint(jobs), '/v1/jobs').responses['200'] ?? {};
    expect(content).toMatchObject({
      'application/json': { schema: { anyOf: expect.any(Array) as unknown } },
    });
  });

  it('declares the parameters of a path template', () => {
    const { parameters } = operationOf(listEndpoint(jobs), '/v1/{region}/teams/{team}');
    const inPath = parameters.filter((each) => each.in === 'path');
    expect(inPath.map(({ name, required }) => [name, required])).toEqual([
      ['region', true],
      ['team', true],
    ]);
  });

  it('keeps the schema of rows and structs that are called Problem', async () => {
    const rows = defineSchema({ ID: t.string, Problem: t.struct({ Cause: t.string }) });
    for (const name of ['Problem', 'Row']) {
      const document = documentOf(listEndpoint(createTable(rows, { key: 'ID' })), '/', name);
      const { schemas } = document.components;
      expect(schemas['Problem']).toHaveProperty('properties.detail');
      expect(JSON.stringify(schemas)).toContain('"Cause"');
      expect(JSON.stringify(schemas)).toContain('"ID"');
      expect((await new Validator().validate(document)).valid).toBe(true);
    }
  });
});
