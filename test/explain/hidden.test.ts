import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compileFilter, defineSchema, FilterError, parse, t, type Schema } from '../../src/index.js';
import { diagnose, explain } from '../../src/entries/explain.js';
import { correct, lint, renderFinding } from '../../src/entries/lint.js';

const rendered = { ID: t.string, Status: t.oneOf('running', 'pending'), N: t.int };
const inner = { ID: t.string, Count: t.int };

const withSecrets = defineSchema({
  ...rendered,
  Secret: t.hidden(t.string),
  Statuses: t.hidden(t.list(t.string)),
  Node: t.struct({ ...inner, Secret: t.hidden(t.string) }),
  Nodes: t.list(t.struct({ ...inner, Secret: t.hidden(t.struct({ Key: t.string })) })),
  ByName: t.map(t.struct({ ...inner, Secret: t.hidden(t.string) })),
});

const without = defineSchema({
  ...rendered,
  Node: t.struct(inner),
  Nodes: t.list(t.struct(inner)),
  ByName: t.map(t.struct(inner)),
});

const secrets = fc.oneof(fc.string(), fc.constantFrom('x', 'running', 'swordfish'));

/** A row twice: with what is hidden, and without. */
const rowPairs = fc
  .record({
    id: fc.constantFrom('x', 'y'),
    status: fc.constantFrom('running', 'pending'),
    n: fc.nat(3),
    secret: secrets,
    other: fc.option(secrets),
  })
  .map(({ id, status, n, secret, other }) => {
    const make = (hidden: object, nested: object): object => {
      const node = { ID: id, Count: n, ...nested };
      return {
        ID: id,
        Status: status,
        N: n,
        Node: node,
        Nodes: [node, node],
        ByName: { a: node },
        ...hidden,
      };
    };
    return [make({ Secret: secret, Statuses: [secret, other] }, { Secret: secret }), make({}, {})] as const;
  });

const names = [
  'ID',
  'Status',
  'Statuses',
  'N',
  'Secret',
  'Secrets',
  'secret',
  'Node',
  'Node.ID',
  'Node.Secret',
  'Node.Secrte',
  'Nodes',
  'Nodes.0.Secret',
  'Nodes.1',
  'ByName',
  'ByName.a',
  'ByName.a.Secret',
  'ByName.b.Secret',
  'Nodes.0.Secret.Key',
  '"/Node/Secret"',
];

const clauses = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom(
      '== x',
      '== Secret',
      '!= swordfish',
      'is empty',
      'is nil',
      'is not nil',
      'contains Secret',
      'matches "s*"',
      '== 1',
      '= 1',
      '== nil',
    ),
    fc.constantFrom(
      '',
      'any Nodes as Secret { ',
      'any Node as x { ',
      'all ByName as k, v { ',
      'any Statuses as s { ',
    ),
  )
  .map(([name, test, opening]) => (opening === '' ? `${name} ${test}` : `${opening}${name} ${test} }`));

const filters = fc
  .tuple(fc.array(clauses, { minLength: 1, maxLength: 3 }), fc.constantFrom(' and ', ' or '))
  .map(([parts, word]) => parts.join(word));

/** Everything that anybody can get to read about a filter and rows, in one text. */
function everything(
  source: string,
  schema: Schema,
  rows: readonly object[],
  unresolved: 'error' | 'absent',
): string {
  const reported: unknown[] = [];
  const note = (report: () => unknown): void => {
    try {
      reported.push(report());
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      reported.push(String(error), error.toJSON());
    }
  };
  const options = { schema, unresolved };
  note(() => compileFilter(source, options).count(rows));
  note(() => compileFilter(source, { ...options, check: false }).count(rows));
  note(() => check(parse(source), { schema }));
  note(() => lint(source, { schema }).map((finding) => [finding, renderFinding(source, finding)]));
  note(() => correct(source, { schema }));
  for (const row of rows) {
    note(() => explain(source, row, options));
    note(() => String(explain(source, row, options)));
  }
  note(() => diagnose(source, rows, options));
  note(() => String(diagnose(source, rows, options)));
  return JSON.stringify(reported, null, 1);
}

describe('a hidden field', () => {
  it('changes not one character of the output', () => {
    fc.assert(
      fc.property(
        filters,
        fc.array(rowPairs, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('error' as const, 'absent' as const),
        (source, pairs, unresolved) => {
          const hidden = everything(
            source,
            withSecrets,
            pairs.map(([row]) => row),
            unresolved,
          );
          const bare = everything(
            source,
            without,
            pairs.map(([, row]) => row),
            unresolved,
          );
          expect(hidden).toBe(bare);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
