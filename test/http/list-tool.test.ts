import { describe, expect, it } from 'vitest';
import { HttpError, listEndpoint, listTool } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.oneOf('running', 'dead'),
  Count: t.int,
  Secret: t.hidden(t.string),
  Groups: t.list(t.struct({ Name: t.string })),
});
const jobs = createTable(schema, { key: 'ID', sorts: ['Count'] });
jobs.putAll(
  Array.from({ length: 50 }, (_, number) => ({
    ID: `job-${String(number).padStart(2, '0')}`,
    Status: number % 2 === 0 ? ('running' as const) : ('dead' as const),
    Count: number,
    Secret: 'x',
    Groups: [{ Name: 'web' }],
  })),
);

describe('listTool', () => {
  const tool = listTool(listEndpoint(jobs), { name: 'list_jobs', about: 'The jobs of the cluster.' });

  it('describes the fields that can be filtered by, and the language', () => {
    expect(tool.name).toBe('list_jobs');
    expect(tool.description).toContain('The jobs of the cluster. Fields of a row:\n- ID: string\n');
    expect(tool.description).toContain('- Status: string (running, dead)');
    expect(tool.description).toContain('- Groups[].Name: string');
    expect(tool.description).not.toContain('Secret');
  });

  it('has a schema of the arguments, without those that wait', () => {
    const { properties } = tool.inputSchema as {
      properties: Record<string, { type: string; description: string }>;
    };
    expect(properties['filter']).toMatchObject({ type: 'string', description: expect.any(String) as string });
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['sort', 'per_page', 'next_token', 'total', 'count', 'facets']),
    );
    expect(Object.keys(properties)).not.toEqual(expect.arrayContaining(['index']));
  });

  it('returns a page of 20 rows with the token of the next one, which continues the list', async () => {
    const [first] = (await tool.call({ fields: ['ID'], total: true })).content;
    const [body = '', ...notes] = first.text.split('\n');
    expect(JSON.parse(body)).toHaveLength(20);
    expect(notes).toContain('X-Total-Count: 50');
    const token = /X-Next-Token: (.*)/.exec(first.text)?.[1];
    const [second] = (await tool.call({ next_token: token, per_page: 1, fields: 'ID' })).content;
    expect(second.text).toContain('[{"ID":"job-20"}]');
  });

  it('filters, sorts and counts', async () => {
    const sorted = await tool.call({ filter: 'Status == dead', sort: '-Count', per_page: 1, fields: 'ID' });
    expect(sorted.content[0].text).toContain('[{"ID":"job-49"}]');
    expect((await tool.call({ filter: 'Count < 10', count: true })).content[0].text).toContain('10');
  });

  it('reports what to correct', async () => {
    const result = await tool.call({ filter: 'Stauts == running' });
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe(
      '1:1: Stauts: there is no such field. Did you mean Status?\nCorrected: Status == running',
    );
    expect((await tool.call({ filter: 'Secret == x' })).isError).toBe(true);
    expect((await tool.call({ Filter: 'x' })).content[0].text).toMatch(
      /^There is no argument Filter\. Arguments: filter, /,
    );
    expect((await tool.call('x')).content[0].text).toBe('The arguments must be an object, got "x"');
    expect((await tool.call({ sort: 'Nope' })).isError).toBe(true);
  });

  it('refuses pages that are too long for an agent', async () => {
    const short = listTool(listEndpoint(jobs), { maxCharacters: 200 });
    expect(await short.call({ per_page: 50 })).toEqual({
      content: [
        {
          type: 'text',
          text: 'The page has more than 200 characters: request fewer rows (per_page) or fields',
        },
      ],
      isError: true,
    });
  });

  it('passes the headers of the caller on, and uses names that the endpoint has renamed', async () => {
    const endpoint = listEndpoint(jobs, {
      rename: { per_page: 'limit', index: 'since' },
      caller(head) {
        if (head.header('authorization') === null) throw new HttpError(401, 'Sign in');
        return null;
      },
    });
    const renamed = listTool(endpoint);
    expect(await renamed.call({})).toMatchObject({ isError: true, content: [{ text: 'Sign in' }] });
    const page = await renamed.call({ limit: 1, fields: 'ID' }, { headers: { Authorization: 'x' } });
    expect(page.content[0].text).toContain('[{"ID":"job-00"}]');
    expect((renamed.inputSchema as { properties: object }).properties).not.toHaveProperty('since');
  });

  it.each([
    [{ name: 'a b' }, 'listTool: name must be 1 to 64 letters'],
    [{ about: 5 }, 'listTool: about must be a string, got 5'],
    [{ perPage: 1.5 }, 'listTool: perPage must be a whole number of at least 1, got 1.5'],
    [{ maxCharacters: Number.NaN }, 'listTool: maxCharacters must be a whole number of at least 1, got NaN'],
  ])('rejects the options %j', (options, message) => {
    expect(() => listTool(listEndpoint(jobs), options as never)).toThrow(message);
  });

  it('reports a mistake even if its message is longer than a page may be', async () => {
    const short = listTool(listEndpoint(jobs), { maxCharacters: 100 });
    const result = await short.call({ filter: `Stauts == "${'a'.repeat(500)}"` });
    expect(result.content[0].text).toContain('there is no such field');
  });

  it('rejects values that are no endpoint', () => {
    expect(() => listTool({} as never)).toThrow(
      'listTool: endpoint must be created with listEndpoint(), got an object',
    );
  });
});

describe('openapi', () => {
  it('names the operation, all statuses, and changes only for lists that can be watched', () => {
    const { paths, components } = listEndpoint(jobs, { caller: () => null }).openapi('/v1/job-list', 'Job');
    const { get } = paths['/v1/job-list'] as {
      get: { operationId: string; parameters: unknown[]; responses: object };
    };
    expect(get.operationId).toBe('listV1JobList');
    expect(get.parameters[0]).toMatchObject({ name: 'filter', required: false });
    expect(Object.keys(get.responses)).toEqual(['200', '304', '400', '401', '403', '429', '500', '503']);
    expect(components.schemas).toHaveProperty('Problem');
    expect(JSON.stringify(paths)).toContain('entered');
  });
});
