import { describe, expect, it } from 'vitest';
import { FilterError } from '../../src/language/diagnostics/errors.js';
import { parse } from '../../src/language/parse.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';

// Each frame is a whole file, to be read by people. After an intended change, run vitest with --update.

/** What people write when they get it wrong. */
const mistakes: readonly string[] = [
  '["x"] in Tags',
  '"x" in ["Tag List"]',
  'Name == ["First Name"]',
  'Name == _x',
  '[First Name] == x',
  '"First Name" == "x"',
  'Status = "running"',
  'Status === "running"',
  'Status <> "running"',
  'Priority => 50',
  'Priority BETWEEN 1 AND 5',
  "Status IN ('running', 'dead')",
  "Name LIKE 'web%'",
  'startsWith(Name, "web")',
  'Name == now - 7d',
  'now - 7d < Created',
  '@Name == Status',
  '@Name != "x" and Status == y',
  '@Name is empty',
  'Name like @Other',
  '@Name in ["a"]',
  'len(Name) contains 5',
  'Status in ["a" "b"]',
  'Status',
  'Status and Type == "service"',
  'Status == "running" && Type == "service"',
  'Status == "running" || Type == "batch"',
  'Status == "running" AND Type == "service"',
  'Status == "running", Type == "service"',
  'Status == "running" Type == "service"',
  'Status == "running" andd Type == "service"',
  '!Stop',
  '!(Stop == true)',
  "Status == 'running'",
  'Status == “running”',
  'Status == running\u00a0and Type == service',
  'Node == host-name',
  '(NodePool == windows-amd64-instance-production)',
  'Name == web*',
  'Email == a@example.org',
  'Path == /srv/data',
  'Status ==',
  'Status == and Type == "service"',
  '== "running"',
  'Status in ("running", "pending")',
  '"running" in "Status"',
  'Datacenters contains ["dc1"]',
  'Datacenters contains "dc1" "dc2"',
  'Name contans "web"',
  'Name is like "web"',
  'Meta is emty',
  'Meta is not null',
  'Name not == "web"',
  '50 == Priority',
  '"running" == Status',
  'Tags[0] == "a"',
  'Meta[team] == "a"',
  'Meta["team" == "a"',
  'Meta. == "a"',
  'Name == "web',
  'Name == `web',
  'Name == "C:\\dir"',
  'Name matches "\\d+"',
  'Name == "two\nlines"',
  '(Status == "running"',
  '(Status == "running" and (Type == "service" or Stop == true)',
  'Status == "running")',
  'any TaskGroups { Name == "cache" }',
  'any TaskGroups as tg Name == "cache"',
  'any TaskGroups as tg { Name == "cache"',
  'any TaskGroups as _ { Name == "cache" }',
  'any TaskGroups as tg, { Name == "cache" }',
  'any TaskGroups as "tg" { Name == "cache" }',
  'Status == "running"\nand Type = "service"\nand Stop == false',
  'Name == "日本語" und Status == "x"',
  `${'Namespace == "default" or '.repeat(8)}Status = "running"`,
];

/** What is a filter for us and none for go-bexpr. */
const strictMistakes: readonly string[] = [
  'not(Status == "running")',
  '(Status == "running")and(Type == "service")',
  'Meta . team == "a"',
  'Meta ["team"] == "a"',
  'any L as x { x == 5}',
  'not any L as x { x == y }',
  'Status == "running" and any L as x { x == y }',
  'any L as x { x == y } and Status == "running"',
  'Name == "say \\"hi\\""',
  '(not in in )',
  'Priority >= 50',
  'Address == 10.0.0.1',
  'ID == 2bar',
  'ID == 0815',
  'Time < 2024-02-01',
  'Status in ["running", "pending"]',
  'Name starts with "web"',
  'Name == "web"i',
  'Name like "web-*"',
  'len(Tags) > 3',
  'Updated == @Created',
  'Created > now - 7d',
  'Meta._team == "a"',
  '_id == 1',
  '["First Name"] == "Ann"',
];

function frameOf(text: string, dialect: Dialect): string {
  try {
    parse(text, { dialect });
  } catch (error) {
    if (error instanceof FilterError) return String(error);
    throw error;
  }
  throw new Error(`no mistake: ${text}`);
}

describe('frames', () => {
  it('of common mistakes', async () => {
    const frames = mistakes.map((text) => frameOf(text, 'standard'));
    await expect(`${frames.join('\n\n')}\n`).toMatchFileSnapshot('./syntax-mistakes.txt');
  });

  it('of what only go-bexpr refuses', async () => {
    const frames = strictMistakes.map((text) => frameOf(text, 'go-bexpr'));
    await expect(`${frames.join('\n\n')}\n`).toMatchFileSnapshot('./syntax-mistakes-go-bexpr.txt');
  });

  it('of limits', async () => {
    const limits = { maxLength: 30, maxDepth: 2, maxTerms: 2 };
    const texts = [
      'Status == "running" and Type == "service"',
      '((not a == 1))',
      'a == 1 or b == 2 or c == 3',
    ];
    const frames = texts.map((text) => {
      try {
        return JSON.stringify(parse(text, { limits }));
      } catch (error) {
        return String(error);
      }
    });
    await expect(`${frames.join('\n\n')}\n`).toMatchFileSnapshot('./syntax-limits.txt');
  });
});
