import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolder, readLines, readSuite, sentencesOf } from '../src/index.mjs';

const { cases, sentences, schemas } = readSuite();
const read = (name: string): string => readFileSync(join(dataFolder, name), 'utf8');

describe('the sentences', () => {
  const page = readFileSync(new URL('../../docs/language.md', import.meta.url), 'utf8');

  it('are those of the language’s page', () => {
    expect(sentences.map(({ text }) => text)).toEqual(sentencesOf(page).map(({ text }) => text));
    expect(new Set(sentences.map(({ id }) => id)).size).toBe(sentences.length);
  });

  it('have a case each, or a reason for having none', () => {
    const tested = new Set(cases.flatMap((each) => each.sentences));
    const reasons = ['about', 'interface', 'cost'];
    const bare = sentences.filter(({ id, untested }) => !tested.has(id) && !reasons.includes(untested ?? ''));
    expect(bare).toEqual([]);
    const known = new Set(sentences.map(({ id }) => id));
    expect([...tested].filter((id) => !known.has(id))).toEqual([]);
  });
});

describe('the cases', () => {
  it('have ids that are never used again', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    for (const each of cases) {
      if (each.source === 'go-bexpr 0.1.16') expect(each.id).toMatch(/^[put]\d{5}$/);
      // Ours are named by what they ask, so that another question is another case.
      else expect(each.id).toBe(`${each.id.charAt(0)}${digestOf(each)}`);
    }
  });

  it('say where their answers come from', () => {
    const decisions = Object.keys(JSON.parse(read('decisions.json')) as object);
    for (const { id, source, level, decided, recorded, answer } of cases) {
      expect(['go-bexpr 0.1.16', 'page', 'level 1'], id).toContain(source);
      if (source.startsWith('go-bexpr')) expect(level, id).toBe(0);
      if (decided === undefined) expect(recorded, id).toBeUndefined();
      else expect(decisions, id).toContain(decided);
      expect(
        Object.keys(answer).filter((key) => ['tree', 'accepted', 'value', 'error'].includes(key)),
        id,
      ).toHaveLength(1);
    }
    expect(new Set(cases.flatMap(({ decided }) => decided ?? []))).toEqual(new Set(decisions));
  });

  it('have other answers of another version beside them, with a reason', () => {
    const byId = new Map(cases.map((each) => [each.id, each]));
    const beside = readLines(join(dataFolder, 'beside/go-bexpr-0.1.2.jsonl')) as {
      id: string;
      answer: object;
      why: string;
    }[];
    expect(beside.length).toBeGreaterThan(6_000);
    for (const { id, answer, why } of beside) {
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
});

function digestOf(each: (typeof cases)[number]): string {
  const { level, dialect, expression, schema, row, now } = each;
  const asked = [
    level,
    dialect ?? '',
    expression,
    schema ?? '',
    row ?? null,
    each.unknown ?? null,
    now ?? '',
  ];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 10);
}
