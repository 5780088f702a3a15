import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../src/case-id.mjs';
import { dataFolder, readLines, readSuite, sentencesOf } from '../src/index.mjs';

const { cases, sentences, schemas } = readSuite();
const read = (name: string): string => readFileSync(join(dataFolder, name), 'utf8');

describe('the sentences', () => {
  const pages = ['../../docs/language.md', '../LEVEL-0.md'].map((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8'),
  );

  it('match the pages about the language', () => {
    expect(sentences.map(({ text }) => text)).toEqual(pages.flatMap(sentencesOf).map(({ text }) => text));
    expect(new Set(sentences.map(({ id }) => id)).size).toBe(sentences.length);
  });

  it('have a case each, or a reason for having none', () => {
    const tested = new Set(cases.flatMap((each) => each.sentences));
    const reasons = ['about', 'interface', 'cost'];
    const bare = sentences.filter(({ id, untested }) => !tested.has(id) && !reasons.includes(untested ?? ''));
    expect(bare).toEqual([]);
    expect(sentences.filter(({ id, untested }) => tested.has(id) && untested !== undefined)).toEqual([]);
    const known = new Set(sentences.map(({ id }) => id));
    expect([...tested].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('the cases', () => {
  it('have ids that are never used again', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const each of cases) {
      if (each.source === 'go-bexpr 0.1.16') expect(each.id).toMatch(/^[put]\d{5}$/);
      // IDs of our own cases derive from the case content, so that changed content is another case.
      else expect(each.id).toBe(idOf(each));
    }
  });

  it('state the origin of their results', () => {
    const decisions = Object.keys(JSON.parse(read('decisions.json')) as object);
    for (const { id, source, level, decided, recorded, answer } of cases) {
      expect(['go-bexpr 0.1.16', 'page', 'level 1', 'lint'], id).toContain(source);
      if (source.startsWith('go-bexpr')) expect(level, id).toBe(0);
      if (decided === undefined) expect(recorded, id).toBeUndefined();
      else expect(decisions, id).toContain(decided);
      expect(
        Object.keys(answer).filter((key) => ['tree', 'accepted', 'value', 'error', 'findings'].includes(key)),
        id,
      ).toHaveLength(1);
    }
    expect(new Set(cases.flatMap(({ decided }) => decided ?? []))).toEqual(new Set(decisions));
  });

  it('have different results in other versions next to them, each with a reason', () => {
    const byId = new Map(cases.map((each) => [each.id, each]));
    const otherResults = readLines(join(dataFolder, 'other-versions/go-bexpr-0.1.2.jsonl')) as {
      id: string;
      answer: object;
      why: string;
    }[];
    expect(otherResults.length).toBeGreaterThan(6_000);
    for (const { id, answer, why } of otherResults) {
      expect(byId.get(id)?.source, id).toMatch(/^(go-bexpr 0.1.16|page)$/);
      expect([Object.keys(answer).length, why === ''], id).toEqual([1, false]);
    }
  });

  it('name schemas and rows that are there, all of them', () => {
    for (const { schema, id } of cases)
      if (schema !== undefined) expect(schemas.structs, id).toHaveProperty(schema);
    const rows = readLines(join(dataFolder, 'rows.jsonl')).map(({ json }: { json: string }) => json);
    const used = new Set(cases.map(({ row }) => row));
    expect(rows.filter((row) => !used.has(row))).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('cover each lint code at least three times', () => {
    const codes = cases.flatMap(({ asks, answer }) => (asks === 'lint' ? (answer.findings ?? []) : []));
    const counts = [...new Set(codes)].map((code) => [code, codes.filter((each) => each === code).length]);
    expect(counts.filter(([, count]) => Number(count) < 3)).toEqual([]);
    expect(new Set(codes)).toEqual(codesOfLint());
  });
});

describe('the mutations of the engine', () => {
  const { mutations, sentences: broken } = JSON.parse(
    readFileSync(new URL('../mutations.json', import.meta.url), 'utf8'),
  ) as MutationTable;

  it('are two hundred, of which the suite kills all but a few that are explained', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(200);
    expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
    const survivors = mutations.filter(({ killed }) => killed === undefined);
    expect(survivors.filter(({ why = '' }) => why.length < 20)).toEqual([]);
    expect(survivors.length / mutations.length).toBeLessThanOrEqual(0.05);
  });

  it('break each sentence that has a case, and a case detects it', () => {
    const tested = sentences.filter(({ untested }) => untested === undefined).map(({ id }) => id);
    expect(tested.filter((id) => !Object.hasOwn(broken, id))).toEqual([]);
    const kills = new Map(mutations.map((each) => [each.id, each.killed ?? 0]));
    const about = new Map(cases.map((each) => [each.id, each.sentences]));
    for (const [id, [mutation, by]] of Object.entries(broken)) {
      expect(kills.get(mutation), id).toBeGreaterThan(0);
      expect(about.get(by), id).toContain(id);
    }
  });
});

/** What `npm run proof:conformance` writes. */
interface MutationTable {
  readonly mutations: readonly { readonly id: string; readonly killed?: number; readonly why?: string }[];
  /** Maps each sentence to the mutation that breaks it, and the case that detects it. */
  readonly sentences: Readonly<Record<string, readonly [mutation: string, by: string]>>;
}

/** The codes of the lint of Tamis, read from its source. */
function codesOfLint(): Set<string> {
  const source = readFileSync(new URL('../../src/tools/lint/finding.ts', import.meta.url), 'utf8');
  const [, union = ''] = /type LintCode =([^;]*);/.exec(source) ?? [];
  return new Set([...union.matchAll(/^\s*\| '([a-z-]+)'/gm)].map(([, code = '']) => code));
}
