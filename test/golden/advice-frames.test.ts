import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { diagnose, explain } from '../../src/entries/explain.js';
import { applySuggestion, correct, lint, renderFinding } from '../../src/entries/lint.js';

// As the frames of syntax errors: whole outputs, to be read by people. After an intended change, run vitest with --update.

const jobs = defineSchema({
  ID: t.string,
  Name: t.string,
  Status: t.oneOf('running', 'pending', 'dead'),
  Priority: t.int,
  Stop: t.bool,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
});

const doubtful: readonly string[] = [
  'Priority == 50 and Priority == 60',
  'Status != "running" or Status != "pending"',
  'Status == "running" and Stop == false and Status == "running"',
  'Status == "running" and Status != "dead"',
  'not (Meta.owner is not empty)',
  'Name matches "web.example.com"',
  'Name matches "web-*"',
  'Name matches ".*"',
  'Status == "runing"',
  'Status == "stopped"',
  'Name == ID',
  'Name == null',
  'any Groups as g { Count == 0 }',
  'any Groups as Name { Name.Count == 0 }',
  'not(Status == "running") and any Groups as g { g.Count == 0}',
  'Name == "/srv/data"',
  'Stop == false\nand Priority == 50\nand Priority == 60',
];

/** What is refused and can be put right. */
const refused: readonly string[] = [
  "Status = 'running' && Stop = false",
  'Status IN ("running", "pending") AND NOT Stop',
  'Name like "web%" or Address == 10.0.0.1',
  'Datacenters == "dc1"',
  'Stauts == "running"',
  'Stop == yes',
  'Name matches "*-web"',
  'Meta.owner exists',
  'Priority > 50',
];

const job = {
  ID: 'web',
  Status: 'pending',
  Priority: 50,
  Datacenters: ['dc1', 'dc2'],
  Meta: { team: 'a' },
  Groups: [
    { Name: 'web', Count: 2 },
    { Name: 'api', Count: 0 },
  ],
};

const requests: readonly string[] = [
  'Status == "running"',
  '"dc1" in Datacenters and (Status == "running" or Priority == "0x46") and Stop == false',
  'not (Meta.owner == "x" or Name is empty)',
  'all Groups as g { g.Count != 0 and g.Name != "db" }',
  'any Groups as i, g { g.Name == "db" or i == 5 }',
];

const empty: readonly string[] = [
  'Status == "runing"',
  'Status == "pending" and Meta.team == "b"',
  'Status == "pending" and Priority == 70 and "dc1" in Datacenters',
  'any Groups as g { g.Name == "wbe" }',
];

const result = (texts: readonly string[], report: (text: string) => string): string =>
  texts.map((text) => `> ${text.replaceAll('\n', '\n> ')}\n${report(text)}`).join('\n\n') + '\n';

describe('whole outputs', () => {
  it('of lint', async () => {
    const reported = result(doubtful, (text) =>
      lint(text, { schema: jobs })
        .map((finding) => {
          const fixes = finding.suggestions.map((each) => `  fix: ${applySuggestion(text, each)}`);
          return [`${finding.code}: ${finding.message}`, renderFinding(text, finding), ...fixes].join('\n');
        })
        .join('\n'),
    );
    await expect(reported).toMatchFileSnapshot('./lint.txt');
  });

  it('of correct', async () => {
    const reported = result(refused, (text) => {
      const correction = correct(text, { schema: jobs });
      if (correction === null) return 'no correction';
      return [...correction.applied.map(({ title }) => `  ${title}`), correction.source].join('\n');
    });
    await expect(reported).toMatchFileSnapshot('./corrections.txt');
  });

  it('of explain', async () => {
    const reported = result(requests, (text) => String(explain(text, job, { schema: jobs })).trimEnd());
    await expect(reported).toMatchFileSnapshot('./explanations.txt');
  });

  it('of diagnose', async () => {
    const rows = [job, { ...job, Status: 'running' }, { ...job, Status: 'running', Priority: 70 }];
    const reported = result(empty, (text) => String(diagnose(text, rows, { schema: jobs })));
    await expect(reported).toMatchFileSnapshot('./diagnoses.txt');
  });
});
