import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { compileFilter, defineSchema, FilterEvaluationError, t } from '../../src/index.js';
import { diagnose } from '../../src/entries/explain.js';
import { applySuggestion, correct } from '../../src/entries/lint.js';
import { eager } from '../specialise/eager.js';

const row = {
  region: 'eu-1',
  'disk-kind': 'ssd',
  tags: ['a'],
  labels: { owner: 'ann', 'cost.center': '42' },
  mounts: [{ path: '/', size: 5 }],
};

function failure(text: string, over: object = row): FilterEvaluationError {
  return evaluationError(() => compileFilter(text).test(over));
}

function evaluationError(evaluate: () => unknown): FilterEvaluationError {
  try {
    evaluate();
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('an error about a row', () => {
  it.each([
    ['regoin == x', ['region == x']],
    ['REGION == x', ['region == x']],
    ['disk_kind == x', ['"/disk-kind" == x']],
    ['labels.cost.center == 42', ['labels["cost.center"] == 42']],
    ['item.region == x', ['region == x']],
    ['mounts.path == "/"', ['(any mounts as x { x.path == "/" })', '(all mounts as x { x.path == "/" })']],
    ['mounts.path != "/"', ['(all mounts as x { x.path != "/" })', '(any mounts as x { x.path != "/" })']],
    ['tags.length == 0', ['tags is empty']],
    ['any mounts as m { m.pth.x == 1 }', ['any mounts as m { m.path.x == 1 }']],
  ])('%s suggests what the row has', (text, expected) => {
    expect(failure(text).suggestions.map((each) => applySuggestion(text, each))).toEqual(expected);
  });

  it.each(['regoin == x', 'item.region == x', 'mounts.path == "/"', 'labels.team.name == x', 'zzz == 1'])(
    '%s suggests the same in every entry point of the filter',
    (text) => {
      const { hint, suggestions } = failure(text);
      for (const accelerate of [null, eager]) {
        const { filter } = compileWhole(text, {}, accelerate);
        for (const evaluate of [filter.test, (each: unknown) => filter.select([each])]) {
          expect(evaluationError(() => evaluate(row))).toMatchObject({ hint, suggestions });
        }
      }
    },
  );

  it.each([
    ['region in europe', 'region == europe'],
    ['x == 1 or not (labels.owner not in europe)', 'x == 1 or not (labels.owner != europe)'],
  ])('distinguishes a string after "in" from a field: %s', (text, expected) => {
    const { hint, suggestions } = failure(text, { ...row, x: 2 });
    expect(hint).toMatch(/^europe is a field name here: .* compares with that string, .* with several$/);
    expect(suggestions.map((each) => applySuggestion(text, each))).toEqual([expected]);
  });

  it('knows a field with another name from a text', () => {
    expect(failure('region in tagz').hint).toBe('did you mean tags?');
    expect(failure('europe in zzz').hint).toMatch(/^the names here are /);
    const schema = defineSchema({ region: t.string });
    expect(() => compileFilter('region in europe', { schema })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('region in [europe, ...]') as string }),
    );
  });

  it('lists the names where none is near', () => {
    expect(failure('zzz == 1').hint).toBe('the names here are region, "disk-kind", tags, labels, mounts');
  });

  it.each([
    ['owner.name == x', 'owner is not nil'],
    ['"/owner/name" == x', '"/owner" is not nil'],
    ['any mounts as m { m.disk.kind == x }', 'm.disk is not nil'],
  ])('suggests a null check for nullable values: %s', (text, requests) => {
    const { hint } = failure(text, { owner: null, mounts: [{ disk: null }] });
    expect(hint).toBe(`first test that it is there: ${requests} and …`);
  });

  it('never suggests the name itself, which a row can have without a value', () => {
    const { hint, suggestions } = failure('zone == x', { zone: undefined, region: 1 });
    expect(hint).toBe('the names here are region');
    expect(suggestions).toEqual([]);
  });

  it('names nothing that the row inherits', () => {
    const inherited = Object.create({ regional: 1 }) as object;
    expect(failure('regionax == 1', Object.assign(inherited, { x: 1 })).hint).toBe('the names here are x');
    expect(failure('toStrin == 1', {}).hint).toBeNull();
  });

  it('looks at a bounded number of names, of bounded length', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`name${at}`, at]));
    const long = { ['x'.repeat(100_000)]: 1 };
    expect(failure('name4999x == 1', many).suggestions.length).toBeLessThanOrEqual(3);
    expect(failure('y == 1', long).hint?.length).toBeLessThan(200);
  });

  it('keeps the names that the row had when it failed', () => {
    const changing: Record<string, unknown> = { region: 1 };
    const error = failure('regoin == 1', changing);
    delete changing['region'];
    expect(error.hint).toBe('did you mean region?');
  });

  it('survives a row that refuses to name what it has', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(failure('a == 1', hostile).hint).toBeNull();
  });
});

describe('what rows have', () => {
  const rows = [row, { ...row, labels: { team: 'x' } }];

  it.each([
    ['labels.onwer == ann', 'labels.owner == ann'],
    ['regoin == "eu-1"', 'region == "eu-1"'],
    ['labels.cost.center == 42', 'labels["cost.center"] == 42'],
    ['any mounts as m { m.pth == "/" }', 'any mounts as m { m.path == "/" }'],
    ['any mounts as m { m.size == 5 and m.pth == "/" }', 'any mounts as m { m.size == 5 and m.path == "/" }'],
    ['tags == a', 'tags contains a'],
    ['region == "eu-1" and labels.onwer == ann', 'region == "eu-1" and labels.owner == ann'],
  ])('corrects %s', (wrong, right) => {
    const diagnosis = diagnose(wrong, rows);
    expect(diagnosis.suggestion).not.toBeNull();
    expect(correct(wrong, { rows })?.source).toBe(right);
  });

  it('is said in the line for people', () => {
    expect(String(diagnose('labels.onwer == ann', rows))).toBe(
      'labels.onwer == ann matches none of 2 rows; it is absent in all of them. Did you mean owner?',
    );
  });

  it('is no reason to change a filter that some row satisfies', () => {
    expect(correct('labels.team == x', { rows })).toBeNull();
  });

  it('chooses between corrections', () => {
    const flags = [{ busy: true, note: '' }];
    expect(correct('busy', { rows: flags })?.source).toBe('busy == true');
    expect(correct('note', { rows: flags })?.source).toBe('note is not empty');
  });
});

describe('hidden names', () => {
  const words = fc.stringMatching(/^[a-z]{6,12}$/);

  it('are suggested by nothing, whatever the rows have', () => {
    fc.assert(
      fc.property(words, fc.nat(11), (name, at) => {
        fc.pre(!['rendered', 'owner', 'inside'].includes(name));
        const schema = defineSchema({
          rendered: t.string,
          [name]: t.hidden(t.string),
          inside: t.struct({ rendered: t.string, [name]: t.hidden(t.map(t.string)) }),
        });
        const slip = name.slice(0, at % name.length) + name.slice((at % name.length) + 1) + 'q';
        // The name in the input may be shown, of course.
        fc.pre(!slip.includes(name));
        const over = { rendered: 'x', [name]: 'y', inside: { rendered: 'x', [name]: { k: 'v' } } };
        for (const text of [`${slip} == 1`, `inside.${slip} == 1`, `${slip}`, `${slip}.k == 1`]) {
          for (const check of [true, false]) {
            const reported = [
              report(() => compileFilter(text, { schema, check }).test(over as never)),
              report(() => String(diagnose(text, [over], { schema }))),
              report(() => JSON.stringify(correct(text, { schema, rows: [over] }))),
            ].join('\n');
            expect(reported).not.toContain(name);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

function report(work: () => unknown): string {
  try {
    return String(work());
  } catch (error) {
    return `${String(error)} ${JSON.stringify(error)}`;
  }
}
