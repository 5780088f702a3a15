import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compileFilter, defineSchema, FilterError, parse, t, type Schema } from '../../src/index.js';
import { diagnose } from '../../src/entries/explain.js';
import { applySuggestion, correct, lint } from '../../src/entries/lint.js';

// What people type and get wrong, each with the complete output: a file to be read by people. After an intended change, run
// vitest with --update and read the difference from the user's view.

interface World {
  readonly name: string;
  readonly schema: Schema;
  readonly rows: readonly object[];
}

const worlds: readonly World[] = [
  {
    name: 'jobs',
    schema: defineSchema({
      ID: t.string,
      Name: t.string,
      Status: t.oneOf('running', 'pending', 'dead'),
      Priority: t.int,
      Stop: t.bool,
      Datacenters: t.list(t.string),
      Meta: t.map(t.string),
      Created: t.string,
      Periodic: t.nullable(t.struct({ Enabled: t.bool })),
      TaskGroups: t.list(t.struct({ Name: t.string, Count: t.int })),
    }),
    rows: [
      {
        ID: 'a',
        Name: 'web-1',
        Status: 'running',
        Priority: 50,
        Stop: false,
        Datacenters: ['dc1', 'dc2'],
        Meta: { owner: 'ann', 'cost.center': '42' },
        Created: '2024-01-01',
        Periodic: null,
        TaskGroups: [{ Name: 'web', Count: 0 }],
      },
      {
        ID: 'b',
        Name: 'db-1',
        Status: 'dead',
        Priority: 70,
        Stop: true,
        Datacenters: ['dc2'],
        Meta: {},
        Created: '2019-01-01',
        Periodic: { Enabled: true },
        TaskGroups: [{ Name: 'api', Count: 2 }],
      },
    ],
  },
  {
    name: 'hosts',
    schema: defineSchema({
      zone: t.string,
      cores: t.int,
      load: t.float64,
      active: t.bool,
      tags: t.list(t.string),
      labels: t.map(t.string),
      disks: t.list(t.struct({ path: t.string, sizeGb: t.int })),
    }),
    rows: [
      {
        zone: 'eu-1',
        cores: 8,
        load: 1.5,
        active: true,
        tags: ['ssd', 'nvme'],
        labels: { team: 'a', 'app.kubernetes.io/name': 'x' },
        disks: [{ path: '/', sizeGb: 5 }],
      },
      { zone: 'us-2', cores: 4, load: 0.5, active: false, tags: [], labels: {}, disks: [] },
    ],
  },
];

function textsOf(world: World): readonly string[] {
  const file = readFileSync(new URL(`./${world.name}.txt`, import.meta.url), 'utf8');
  return file.replace(/\n$/, '').split('\n');
}

/** The results of a filter for the rows: 1, 0, or why there is no result. */
function results(text: string, { rows }: World, schema: Schema | null): string {
  const filter = compileFilter<object>(text, schema === null ? {} : { schema });
  return rows
    .map((row) => {
      try {
        return filter.test(row) ? '1' : '0';
      } catch (error) {
        return error instanceof FilterError ? `(${error.label}${hinted(error)})` : 'broken';
      }
    })
    .join(' ');
}

function hinted({ hint, suggestions }: FilterError): string {
  return `; ${hint ?? 'no hint'}${suggestions.map(({ title }) => `; ${title}`).join('')}`;
}

function refusalOf(text: string, schema: Schema | null): FilterError | null {
  try {
    compileFilter(text, schema === null ? {} : { schema });
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

function outcome(text: string, world: World, schema: Schema | null): string {
  const options = schema === null ? {} : { schema };
  const refusal = refusalOf(text, schema);
  const lines: string[] = [];
  if (refusal === null) {
    lines.push(`accepted: ${results(text, world, schema)}`);
    for (const { code, hint, suggestions } of lint(text, { schema: schema ?? undefined })) {
      lines.push(`lint: ${code}; ${hint ?? ''}`);
      lines.push(...suggestions.map((each) => `  ${applySuggestion(text, each)}`));
    }
    const diagnosis = String(diagnose(text, world.rows, options));
    if (diagnosis !== '') lines.push(`diagnosis: ${diagnosis}`);
  } else {
    lines.push(`${refusal.name}: ${refusal.label}`, `hint: ${refusal.hint ?? 'none'}`);
    lines.push(...refusal.suggestions.map((each) => `  ${each.title}: ${applySuggestion(text, each)}`));
  }
  for (const [name, rows] of [
    ['corrected', []],
    ['with rows', world.rows],
  ] as const) {
    const correction = correct(text, { schema: schema ?? undefined, rows });
    if (correction === null) continue;
    const sure = correction.isOnlyOne ? 'only one' : 'first';
    lines.push(`${name} (${sure}): ${correction.source} => ${results(correction.source, world, schema)}`);
  }
  return lines.map((line) => `  ${line}`).join('\n');
}

function story(world: World): string {
  return textsOf(world)
    .map((text) => {
      const plain = outcome(text, world, null);
      const typed = outcome(text, world, world.schema);
      return `> ${JSON.stringify(text)}\n${plain}${typed === plain ? '' : `\n  -- with the schema\n${typed}`}`;
    })
    .join('\n\n');
}

describe.each(worlds)('slips about $name', (world) => {
  it('produce this output', async () => {
    await expect(`${story(world)}\n`).toMatchFileSnapshot(`./${world.name}.outcomes.txt`);
  });

  it.each(textsOf(world))('%s: what is refused has a hint', (text) => {
    for (const schema of [null, world.schema]) {
      const refusal = refusalOf(text, schema);
      expect(refusal?.hint).not.toBeNull();
    }
  });

  it.each(textsOf(world))('%s: a correction is a filter that the schema takes', (text) => {
    for (const schema of [null, world.schema]) {
      const correction = correct(text, { schema: schema ?? undefined, rows: world.rows });
      expect(
        correction === null ? [] : check(parse(correction.source), { schema: schema ?? undefined }),
      ).toEqual([]);
    }
  });
});

/** Slips in the names themselves; with other names they are other slips. */
const misspelt = /\b(?:zon|zome|Zone|taem|pth)\b|\u200b/;

const [, hosts] = worlds as readonly [World, World];
const names = ['zone', 'cores', 'load', 'active', 'tags', 'labels', 'disks', 'team', 'path', 'sizeGb'];
const fields = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');

describe('the same slips with other names', () => {
  it('are corrected in the same way', () => {
    const newName = fc
      .stringMatching(/^[A-Za-z][a-z]{5,8}[0-9]?$/)
      .filter((name) => !/^(?:matches|contains)/i.test(name));
    const newNames = fc.uniqueArray(newName, { minLength: names.length, maxLength: names.length });
    const slip = fc.constantFrom(...textsOf(hosts).filter((text) => !misspelt.test(text)));
    fc.assert(
      fc.property(slip, newNames, (text, fresh) => {
        const rename = (old: string): string =>
          old.replace(fields, (name) => fresh[names.indexOf(name)] ?? name);
        const before = correct(text);
        const after = correct(rename(text));
        expect(after?.source ?? null).toBe(before === null ? null : rename(before.source));
        expect(after?.isOnlyOne ?? null).toBe(before?.isOnlyOne ?? null);
      }),
      { numRuns: 400 },
    );
  });
});
