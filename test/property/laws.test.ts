import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, parseSchema, type FilterOptions } from '../../src/index.js';
import { instanceKindOf, type InstanceType } from '../../src/language/values/instance/index.js';
import type { Draw } from '../support/draw.js';
import { drawn } from '../support/drawn.js';
import { drawScalar } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { isInstanceKind, literalInstance } from '../support/oracle-instance.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';
import { scaled } from '../support/property-runs.js';

/** Two fields of one kind, both there and neither of them NaN, and a literal of the kind. */
interface Sample {
  readonly type: OracleType;
  readonly row: { readonly a: unknown; readonly b: unknown; readonly c: unknown };
  readonly literal: string;
}

function drawSample(draw: Draw): Sample {
  let type = drawScalar(draw);
  while (type.kind === 'bool') type = { kind: 'string' };
  const values = new Values(draw);
  const value = (): unknown => {
    const drawn = values.scalar(type);
    return Number.isNaN(drawn) ? 5 : drawn;
  };
  const literal = values.literal(type);
  return {
    type,
    row: { a: value(), b: value(), c: value() },
    literal: literal.toLowerCase() === 'nan' ? '5' : literal,
  };
}

const samples = drawn(drawSample);

/** The results of filters for one row; null if one of them is rejected or fails. */
function evaluate({ type, row }: Sample, ...texts: readonly string[]): boolean[] | null {
  const shape: OracleSchema = { root: 'Row', structs: { Row: { fields: { a: type, b: type, c: type } } } };
  const options: FilterOptions = { schema: parseSchema(shape) };
  try {
    return texts.map((text) => compileFilter(text, options).test(row));
  } catch {
    return null;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(/\\b/g, '\\x08').replace(/\\f/g, '\\x0c');
}

const runs = { numRuns: 1_500 };

/** A law about many samples, of which enough must have results. */
function matchesFor(min: number, law: (sample: Sample) => boolean | null): void {
  let requests = 0;
  const property = fc.property(samples, (sample) => {
    const matches = law(sample);
    if (matches === null) return;
    requests += 1;
    expect(matches, inspect(sample)).toBe(true);
  });
  fc.assert(property, runs);
  expect(requests).toBeGreaterThan(scaled(min));
}

describe('the order of a kind', () => {
  it('has every value on one side of a literal, or at it', () => {
    matchesFor(700, (sample) => {
      const literal = quoted(sample.literal);
      const results = evaluate(
        sample,
        ...['<', '<=', '>', '>='].map((operator) => `a ${operator} ${literal}`),
      );
      if (results === null) return null;
      const [below, maximum, above, minimum] = results;
      return below === !minimum && above === !maximum && !(below && above);
    });
  });

  it('has two values of a row in one way only', () => {
    matchesFor(1_000, (sample) => {
      const results = evaluate(
        sample,
        'a < @b',
        'a == @b',
        'a > @b',
        'b < @a',
        'b == @a',
        'a <= @b',
        'a >= @b',
        'a != @b',
      );
      if (results === null) return null;
      const [below, equal, above, reversed, equalReversed, maximum, minimum, differs] = results;
      const isOne = Number(below) + Number(equal) + Number(above) === 1;
      const isMirrored = above === reversed && equal === equalReversed;
      return isOne && isMirrored && maximum === !above && minimum === !below && differs === !equal;
    });
  });

  it('is one that can be sorted by', () => {
    matchesFor(1_000, (sample) => {
      const results = evaluate(sample, 'a <= @b', 'b <= @c', 'a <= @c');
      if (results === null) return null;
      const [first, second, both] = results;
      return !(first && second) || both === true;
    });
  });

  it('is that by which its instances are sorted', () => {
    matchesFor(500, (sample) => {
      if (!isInstanceKind(sample.type)) return null;
      const kind = instanceKindOf(sample.type as InstanceType);
      const [one, other] = [kind?.read(sample.row.a) ?? null, kind?.read(sample.row.b) ?? null];
      const results = evaluate(sample, 'a < @b', 'a > @b');
      if (results === null || kind === null || one === null || other === null) return null;
      const order = kind.sort(one, other);
      return results[0] === order < 0 && results[1] === order > 0;
    });
  });
});

describe('a list', () => {
  it('of one literal matches what == matches', () => {
    matchesFor(700, (sample) => {
      // A value that is not an instance compares as a string, and is in no list.
      if (isInstanceKind(sample.type) && literalInstance(sample.type, sample.literal) === null) return null;
      const literal = quoted(sample.literal);
      const results = evaluate(
        sample,
        `a in [${literal}]`,
        `a == ${literal}`,
        `a not in [${literal}]`,
        `a != ${literal}`,
      );
      return results && results[0] === results[1] && results[2] === !results[0] && results[3] === !results[1];
    });
  });

  it('matches what an or of its elements matches', () => {
    matchesFor(500, (sample) => {
      if (isInstanceKind(sample.type) && literalInstance(sample.type, sample.literal) === null) return null;
      const [one, two] = [quoted(sample.literal), quoted('5')];
      const results = evaluate(sample, `a in [${one}, ${two}]`, `a in [${one}] or a in [${two}]`);
      return results && results[0] === results[1];
    });
  });
});

describe('an affix', () => {
  it('is a pattern with an anchor', () => {
    const isText = ({ kind, unit }: OracleType): boolean =>
      unit === undefined && ['string', 'time', 'duration', 'ip', 'version'].includes(kind);
    matchesFor(400, (sample) => {
      const { type, literal } = sample;
      if (!isText(type) || literal.includes('\\E')) return null;
      const pattern = `\\Q${literal}\\E`;
      const results = evaluate(
        sample,
        `a starts with ${quoted(literal)}`,
        `a matches ${quoted(`^${pattern}`)}`,
        `a ends with ${quoted(literal)}`,
        `a matches ${quoted(`${pattern}$`)}`,
        `a not starts with ${quoted(literal)}`,
      );
      return results && results[0] === results[1] && results[2] === results[3] && results[4] === !results[0];
    });
  });

  it('is a glob with one star, where nothing in it is special', () => {
    matchesFor(300, (sample) => {
      if (sample.type.kind !== 'string' || /[*?\\]/.test(sample.literal)) return null;
      const literal = sample.literal;
      const results = evaluate(
        sample,
        `a starts with ${quoted(literal)}`,
        `a like ${quoted(`${literal}*`)}`,
        `a ends with ${quoted(literal)}i`,
        `a like ${quoted(`*${literal}`)}i`,
      );
      return results && results[0] === results[1] && results[2] === results[3];
    });
  });
});
