import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson } from '@tamis/http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { readImport } from '@tamis/scheduler-state/cluster/import.js';
import { exportAgent } from '../../src/program/local/export-agent.js';
import { exportStore } from '../../src/program/local/export-store.js';
import { describeImport, importStore, type Imported } from '../../src/program/local/import-store.js';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import { openState } from '@tamis/scheduler-state/state/state.js';
import { fillDataDirectory, openDataDirectory } from '@tamis/scheduler-state/drivers/data-directory.js';
import { openLmdbStorage } from '@tamis/scheduler-state/storage/lmdb.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent } from '../support/base-cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createLastingStorage, readContents } from '../../../scheduler-state/test/support/storage-log.js';
import { call, createTestAgent } from '../support/test-agent.js';

const clock = createFakeClock();

/** A line of each kind, with integers beyond what a double holds, and keys in another order than they are kept in. */
const lines = [
  '{"kind":"namespace","object":{"Name":"apps","Meta":{"owner":"ops"},"CreateIndex":3,"ModifyIndex":4}}',
  '{"kind":"node","object":{"SecretID":"s","ID":"n1","Name":"n1","Attributes":{"cpu.arch":"arm64"},"StatusUpdatedAt":1645230445,"ModifyIndex":9,"CreateIndex":6}}',
  '{"kind":"job","object":{"ID":"web","Namespace":"apps","Version":7,"SubmitTime":1645230445788556001,"TaskGroups":[{"Name":"a","Count":3}],"CreateIndex":10,"ModifyIndex":40}}',
  '{"kind":"deployment","object":{"ID":"d1","JobID":"web","Namespace":"apps","CreateIndex":11,"ModifyIndex":12,"TaskGroups":{"a":{"ProgressDeadline":600000000000}}}}',
  '{"kind":"evaluation","object":{"ID":"e1","JobID":"web","Namespace":"apps","Priority":50,"CreateTime":1645230445788556003,"CreateIndex":11,"ModifyIndex":12}}',
  '{"kind":"allocation","object":{"ID":"a1","JobID":"web","Namespace":"apps","NodeID":"n1","CreateTime":-9223372036854775808,"CreateIndex":12,"ModifyIndex":41,"Metrics":{"Scores":[1.5,{"deep":9007199254740993}]}}}',
];

async function* textLines(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}

async function fill(texts: readonly string[]): Promise<{ storage: Storage; imported: Imported }> {
  const storage = createLastingStorage();
  const imported = await importStore({ storage, lines: textLines(texts), file: 'in' });
  return { storage, imported };
}

/** Calls an agent without a socket. */
function fetchFrom(agent: Agent): typeof fetch {
  return (async (url: string) => {
    const { headers, status, text } = await call(agent, url.replace(/^http:\/\/[^/]*/, ''));
    return new Response(text, { status, headers: { 'content-type': String(headers['content-type']) } });
  }) as typeof fetch;
}

async function collect(source: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of source) texts.push(text);
  return texts;
}

describe('an import and an export', () => {
  it('give back every object, digit for digit', async () => {
    const { storage, imported } = await fill(lines);
    expect(imported).toEqual({
      counts: { namespace: 1, node: 1, job: 1, deployment: 1, evaluation: 1, allocation: 1 },
      index: 41,
    });
    const exported = await collect(exportStore(storage, clock));
    expect(exported.every((line) => !line.includes('\n'))).toBe(true);
    for (const line of lines) {
      const { kind, object } = readJson(line) as { kind: string; object: { ID?: string; Name?: string } };
      const found = exported
        .map((text) => readJson(text) as { kind: string; object: { ID?: string; Name?: string } })
        .find(
          (entry) =>
            entry.kind === kind && (entry.object.ID ?? entry.object.Name) === (object.ID ?? object.Name),
        );
      expect(found).toMatchObject({ kind, object });
    }
    expect(exported.join('')).toContain('"SubmitTime":1645230445788556001');
    expect(exported.join('')).toContain('9007199254740993');
  });

  it('give the same text again', async () => {
    const once = await collect(exportStore((await fill(lines)).storage, clock));
    const twice = await collect(exportStore((await fill(once)).storage, clock));
    expect(twice).toEqual(once);
    expect((await fill(once)).imported.index).toBe(41);
  });

  describe('of a data directory', () => {
    let dir: string;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'import-'));
    });
    afterEach(() => rmSync(dir, { recursive: true }));

    const importInto = (texts: readonly string[]): Promise<Imported | null> =>
      fillDataDirectory(dir, (storage) => importStore({ storage, lines: textLines(texts), file: 'in' }));
    const exportFrom = async (): Promise<string[]> =>
      collect(exportStore((await openDataDirectory(dir)).storage, clock));

    it('take one that is new, and one that was opened and never written to', async () => {
      await (await openDataDirectory(dir)).storage.close();
      expect(await importInto(lines)).toMatchObject({ index: 41 });
      expect(await exportFrom()).toHaveLength(7);
    });

    it('leave a store that holds something', async () => {
      await importInto(lines);
      expect(await importInto(['{"kind":"job"}'])).toBeNull();
      expect(await exportFrom()).toHaveLength(7);
    });

    it('create no store if a line is invalid, even after batches that were written', async () => {
      const large = Array.from({ length: 40 }, (_, at) =>
        JSON.stringify({ kind: 'job', object: { ID: `j${at}`, Meta: { text: 'x'.repeat(900_000) } } }),
      );
      const wrong = [...large, '{"kind":"job","object":{"ID":5}}'];
      await expect(importInto(wrong)).rejects.toThrow(
        'in:41: object.ID: expected a string, found the number 5',
      );
      expect(readdirSync(dir)).toEqual([]);
    });

    it('forget what a killed import has left', async () => {
      mkdirSync(join(dir, 'unfinished-import'));
      const half = openLmdbStorage({
        dir: join(dir, 'unfinished-import'),
        lock: { isLocked: () => true, release: async () => undefined },
        shapes: tableShapes,
      });
      await importStore({ storage: half, lines: textLines(lines.slice(0, 2)), file: 'in' });
      await half.close();
      expect(await importInto(lines.slice(2))).toMatchObject({ counts: { node: 0, job: 1 } });
      expect(readdirSync(dir).filter((name) => !name.startsWith('state.mdb'))).toEqual([]);
    });
  });

  it('have the same result as one write of all rows', async () => {
    const job = { ID: 'web', Priority: 3, ModifyIndex: 8 };
    const shared = (ID: string, Job: object, ModifyIndex: number): string =>
      JSON.stringify({
        kind: 'allocation',
        object: { ID, Namespace: 'ops', JobID: 'web', Job, ModifyIndex },
      });
    const given = [
      shared('a2', job, 3),
      ...lines,
      shared('a3', job, 5),
      shared('a4', { ...job, Priority: 4 }, 6),
      shared('a5', { ...job, ModifyIndex: 9 }, 7),
    ];
    const { storage } = await fill(given);
    const whole = createLastingStorage();
    const state = await openState({ storage: whole, clock });
    const rows = await readImport(textLines(given), 'in');
    await state.write((transaction) => restoreCluster(transaction, rows));
    await state.close();
    const [batches, write] = await Promise.all([readContents(storage), readContents(whole)]);
    const ordered = (contents: typeof write): unknown[] =>
      [...contents.rows].sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1));
    expect(ordered(batches)).toEqual(ordered(write));
    expect([batches.index, batches.tableIndexes]).toEqual([write.index, write.tableIndexes]);
  });

  it('say what was done', () => {
    const counts = { namespace: 0, node: 1, job: 5_000, deployment: 0, evaluation: 2, allocation: 0 };
    expect(describeImport({ counts, index: 15_917 })).toBe(
      'imported 1 node, 5,000 jobs and 2 evaluations; the index is 15,917\n',
    );
    const nothing = { namespace: 0, node: 0, job: 0, deployment: 0, evaluation: 0, allocation: 0 };
    expect(describeImport({ counts: nothing, index: 1 })).toBe('imported nothing; the index is 1\n');
  });
});

describe('an export from an agent', () => {
  const agents: Agent[] = [];
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close();
  });

  async function start(): Promise<string> {
    const agent = await createBaseAgent();
    agents.push(agent);
    return agent.listen();
  }

  it('is the same text as that of a store that was filled with it, and of an agent on that store', async () => {
    const id = fc.uuid();
    const index = fc.nat({ max: 1_000 });
    const stamps = { CreateIndex: index, ModifyIndex: index };
    const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 1 });
    const work = {
      ID: id,
      JobID: fc.constantFrom('web', 'db'),
      Namespace: fc.constantFrom('default', 'apps'),
      ...stamps,
    };
    const kinds = {
      node: {
        ID: id,
        Name: fc.string(),
        Status: fc.constant('down'),
        Meta: sometimes(fc.dictionary(fc.string(), fc.string())),
        DrainStrategy: sometimes(fc.record({ Deadline: index })),
        ...stamps,
      },
      job: {
        ID: fc.constantFrom('web', 'db', 'a/b'),
        Priority: index,
        Meta: sometimes(fc.constant({})),
        Datacenters: fc.array(fc.string()),
        ...stamps,
      },
      deployment: { ...work, TaskGroups: sometimes(fc.constant({})), IsMultiregion: fc.boolean() },
      evaluation: {
        ...work,
        RelatedEvals: sometimes(fc.constant([])),
        QueuedAllocations: sometimes(fc.constant({})),
        Wait: index,
      },
      allocation: {
        ...work,
        NodeID: id,
        TaskStates: sometimes(fc.constant({})),
        PreemptedAllocations: sometimes(fc.constant([])),
        Job: sometimes(fc.record({ ID: fc.constant('web') })),
      },
    };
    const objects = Object.entries(kinds).map(([kind, fields]) =>
      fc
        .uniqueArray(fc.record(fields as Record<string, fc.Arbitrary<unknown>>), {
          selector: ({ ID }) => ID,
          maxLength: 4,
        })
        .map((rows) => rows.map((object) => JSON.stringify({ kind, object }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.tuple(...objects), async (given) => {
        const { storage } = await fill(given.flat());
        const ofStore = await collect(exportStore({ ...storage, close: async () => undefined }, clock));
        const agent = await createTestAgent({ storage: { ...storage, close: async () => undefined } });
        const ofAgent = await collect(
          exportAgent({ address: 'http://agent', token: null, fetch: fetchFrom(agent) }),
        );
        await agent.close();
        expect(ofAgent).toEqual(ofStore);
        expect(await collect(exportStore((await fill(ofAgent)).storage, clock))).toEqual(ofAgent);
      }),
      { numRuns: 30 },
    );
  });

  it('has what its store has, but for the secrets of nodes', async () => {
    const address = await start();
    const exported = await collect(exportAgent({ address: `${address}/`, token: null, fetch }));
    const kinds = exported.map((line) => (readJson(line) as { kind: string }).kind);
    const count = (kind: string): number => kinds.filter((each) => each === kind).length;
    expect(['namespace', 'node', 'job', 'deployment', 'evaluation'].map(count)).toEqual([2, 2, 4, 2, 4]);
    expect(exported.join('')).not.toContain('set-but-never-shown');
    const { storage } = await fill(exported);
    const [agent] = agents;
    const { tables } = agent!.state.snapshot();
    const retained = await collect(exportStore(storage, clock));
    const jobs = retained
      .map((line) => readJson(line) as { kind: string; object: unknown })
      .filter(({ kind }) => kind === 'job');
    const inAgent = tables.jobs.primary.chunks.flat();
    expect(jobs.map(({ object }) => object)).toEqual(inAgent);
  });

  it('is one state, whatever is written while it is read', async () => {
    const Meta = { text: 'x'.repeat(20_000) };
    const large = Array.from({ length: 50 }, (_, at) => ({ kind: 'job', object: { ID: `j${at}`, Meta } }));
    const agent = await createTestAgent({ lines: large });
    agents.push(agent);
    const address = await agent.listen();
    const whole = await collect(exportAgent({ address, token: null, fetch }));
    expect(whole).toHaveLength(51);
    const rest = exportAgent({ address, token: null, fetch });
    const first = await rest.next();
    await agent.state.write((transaction) => {
      for (const job of transaction.tables.jobs.primary.chunks.flat())
        transaction.delete('jobs', jobKey(job));
    });
    expect([first.value, ...(await collect(rest))]).toEqual(whole);
  });

  it('has what the token may read', async () => {
    const node = 'node { policy = "read" }';
    const { agent, sendAs } = await createAclCluster({
      all: `${node} namespace "*" { policy = "read" }`,
      one: `${node} namespace "apps" { policy = "read" }`,
      nodes: node,
      namespaces: 'namespace "*" { policy = "read" }',
    });
    agents.push(agent);
    const namesFor = async (token: string): Promise<string[]> => {
      const { status, text } = await sendAs(token, '/v1/operator/export');
      if (status !== 200) return [`${status} ${text}`];
      return text
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { kind, object } = readJson(line) as { kind: string; object: Record<string, string> };
          return `${kind} ${object['Namespace'] ?? object['Name']}`;
        });
    };
    const work = ['job', 'deployment', 'evaluation', 'allocation'];
    const both = work.flatMap((kind) => [`${kind} apps`, `${kind} default`]);
    const everything = ['namespace apps', 'namespace default', 'node n1', ...both];
    const ordered = async (token: string): Promise<string[]> => (await namesFor(token)).sort();
    expect(await ordered('mgmt')).toEqual([...everything].sort());
    expect(await ordered('all')).toEqual([...everything].sort());
    expect(await ordered('one')).toEqual(everything.filter((name) => !name.includes('default')).sort());
    for (const token of ['nodes', 'namespaces', '']) {
      expect(await namesFor(token)).toEqual(['403 Permission denied']);
    }
  });

  it.each<[what: string, response: () => Promise<Response> | Response, problem: RegExp]>([
    [
      'nobody is there',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
      /^http:\/\/a:1\/v1\/operator\/export cannot be read: connect ECONNREFUSED$/,
    ],
    ['an agent of before', () => new Response('', { status: 404 }), /a version without exports/],
    [
      'it refuses',
      () => new Response('Permission denied', { status: 403 }),
      /^\/v1\/operator\/export returns 403: Permission denied$/,
    ],
    [
      'something else is there',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      /is no export: is it a scheduler\?$/,
    ],
    [
      'the connection breaks',
      () => new Response(brokenBody(), { headers: { 'content-type': 'application/x-ndjson' } }),
      /cannot be read: other side closed$/,
    ],
  ])('says why it cannot be made where %s', async (_what, response, problem) => {
    const requests: unknown[] = [];
    const fetchFake = ((_url: string, { headers }: { headers: unknown }) => {
      requests.push(headers);
      return response();
    }) as typeof fetch;
    await expect(
      collect(exportAgent({ address: 'http://a:1/', token: 'secret', fetch: fetchFake })),
    ).rejects.toThrow(problem);
    expect(requests).toEqual([{ 'accept-encoding': 'identity', 'x-scheduler-token': 'secret' }]);
  });
});

/** A line, and then no end. */
function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('{"kind":"node","object":{}}\n'));
    },
    pull(controller) {
      controller.error(new Error('other side closed'));
    },
  });
}
