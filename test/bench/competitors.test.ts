import { beforeAll, describe, expect, it } from 'vitest';
import { filterCases } from '../../bench/cases/cases.js';
import { otherFilters } from '../../bench/cases/pollution.js';
import { templates } from '../../bench/cases/templates.js';
import { competitorNames, loadCompetitor } from '../../bench/competitors/competitors.js';
import { CannotExpress, tryWrite, type Competitor } from '../../bench/competitors/competitor.js';
import {
  createTamis,
  createTamisClosures,
  createTamisOnce,
  createTamisOpen,
  createTamisCachedTest,
  createTamisTest,
  writeExpression,
} from '../../bench/competitors/tamis.js';
import { loadRows } from '../../bench/data/rows.js';
import * as engine from '../../src/index.js';
import { noteOfExtra, whyExtraMissing } from '../support/extra.js';

const rows = loadRows('poly', 300);

/** The engine as its sources are now: the build that the benchmarks load may be older. */
const ours: Readonly<Record<string, Competitor>> = {
  tamis: createTamis(engine),
  'tamis-closures': createTamisClosures(engine),
  'tamis-test': createTamisTest(engine),
  'tamis-kept-test': createTamisCachedTest(engine),
  'tamis-once': createTamisOnce(engine),
  'tamis-open': createTamisOpen(engine),
};

/** The cases that a language has no words for. */
const gaps: Readonly<Record<string, readonly string[]>> = {
  'json-logic-engine': ['E7'],
  subscript: ['E10'],
  filtrex: ['E10', 'E11'],
  sift: ['E4'],
  liqe: ['E4', 'E10', 'E11'],
  jexl: ['E6', 'E7', 'E10'],
};

const names = competitorNames.map((name) => {
  const isMissing = ours[name] === undefined && whyExtraMissing('bench') !== null;
  return { name, isMissing, note: isMissing ? noteOfExtra('bench') : '' };
});

describe.each(names)('$name$note', ({ name, isMissing }) => {
  if (isMissing) {
    it.skip('needs its library');
    return;
  }

  let competitor: Competitor;
  beforeAll(async () => {
    competitor = ours[name] ?? (await loadCompetitor(name));
  });

  it('bears its name', () => {
    expect(competitor.name).toBe(name);
  });

  it.each(filterCases)(
    'finds the rows of $id, or has no words for it',
    async ({ id, condition, kind, byHand }) => {
      const written = tryWrite(competitor, { condition, kind });
      expect(written instanceof CannotExpress).toBe(gaps[name]?.includes(id) ?? false);
      if (written instanceof CannotExpress) return;
      const found = await written.compile()(rows[kind]);
      const expected = byHand(rows);
      expect(found.length).toBe(expected.length);
      expect(found.every((row, index) => row === expected[index])).toBe(true);
    },
  );

  it('runs the filters that warm it up', async () => {
    let count = 0;
    for (const { condition, kind } of otherFilters) {
      const written = tryWrite(competitor, { condition, kind });
      if (written instanceof CannotExpress) continue;
      expect((await written.compile()(rows[kind])).length).toBeLessThanOrEqual(300);
      count += 1;
    }
    expect(count).toBeGreaterThanOrEqual(30);
  });
});

describe('the engine', () => {
  it.each(filterCases)('is evaluated in the words of $id', ({ expression, condition }) => {
    expect(writeExpression(condition)).toBe(expression.replace(/== (\d+)$/, '== $1'));
  });

  it.each(templates)('finds what is found by hand: $name', async ({ condition, byHand }) => {
    const { jobs } = loadRows('mono', 300, ['jobs']);
    for (const turn of [0, 1, 7]) {
      const select = createTamis(engine)
        .write({ condition: condition(turn), kind: 'jobs' })
        .compile();
      expect(await select(jobs)).toEqual(byHand(jobs, turn));
    }
  });
});

describe('the filters that warm an engine up', () => {
  it('are forty, none of them a case', () => {
    const texts = otherFilters.map(({ condition, kind }) => `${kind}: ${writeExpression(condition)}`);
    expect(new Set(texts).size).toBe(40);
    expect(filterCases.filter(({ kind, expression }) => texts.includes(`${kind}: ${expression}`))).toEqual(
      [],
    );
  });
});
