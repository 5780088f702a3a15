import fc from 'fast-check';
import oracle from 'js-hcl-parser';
import { expect, it } from 'vitest';
import { ConfigError, parseConfig, type ConfigObject, type ConfigValue } from '../src/index.js';
import { scaled } from '../../../test/support/property-runs.js';

/** The tree in the form of the original parser: every block a list of maps, of a repeated setting the last value. */
function asOriginal(value: ConfigValue): unknown {
  switch (value.kind) {
    case 'object':
      return [fields(value)];
    case 'list':
      return value.items.map((item) => (item.kind === 'object' ? fields(item) : asOriginal(item)));
    case 'null':
    case 'expression':
      return null;
    default:
      return value.value;
  }
}

function fields({ entries }: ConfigObject): object {
  const known = new Map<string, unknown>();
  for (const { key, value } of entries) {
    const before = known.get(key);
    const read = asOriginal(value);
    known.set(
      key,
      value.kind === 'object' && Array.isArray(before) ? [...(before as unknown[]), read].flat() : read,
    );
  }
  return Object.fromEntries(known);
}

const blank = fc.constantFrom(' ', '\n', '\t', '\n# note\n', ' /* a = { */ ', '\n// "\n');
const name = fc.constantFrom('a', 'b_1', 'c-d', 'e.f', '"quoted name"', '"200"', 'true_', 'é');
const scalar = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
  fc.constantFrom('0', '-0.5', '1.25e2', '0x1f', '017', 'true', 'false', '2.'),
  fc.constantFrom('""', '"x # y"', '"${a["k"]}"', '"a\\tb\\\\"', '"\\u00e9\\x41"', '"$"', '"// {"'),
  fc.constantFrom('<<EOF\nx = 1\n  y\nEOF\n', '<<-T\n    x\n  y\n  T\n', '<<-T\n x\n    T\n', '<<E\nE\n'),
);

const { entries } = fc.letrec<{ value: string; list: string; entries: string; entry: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    scalar,
    tie('list'),
    tie('entries').map((text) => `{ ${text} }`),
  ),
  list: fc
    .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.boolean())
    .map(([items, comma]) => `[ ${items.join(',')}${comma && items.length > 0 ? ',' : ''} ]`),
  entry: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(name, blank, tie('value')).map(([key, space, value]) => `${key}${space}= ${value}`),
    fc
      .tuple(fc.array(name, { minLength: 1, maxLength: 3 }), tie('entries'))
      .map(([keys, body]) => `${keys.join(' ')} { ${body} }`),
  ),
  // The original merges a setting and a block of one name in ways of its own, so each name comes once.
  entries: fc
    .uniqueArray(tie('entry'), {
      maxLength: 4,
      selector: (entry) => /^"[^"]*"|^[^ \n\t=]+/.exec(entry)?.[0] ?? '',
    })
    .chain((list) => fc.constantFrom('\n', ',\n', '\n\n# end\n').map((separator) => list.join(separator))),
}));

function original(text: string): unknown {
  const result = oracle.parse(text);
  return result.startsWith('unable to parse') ? null : (JSON.parse(result) as unknown);
}

it('reads what the original parser reads, as the original parser reads it', () => {
  let read = 0;
  fc.assert(
    fc.property(entries, (text) => {
      const expected = original(text);
      // Generated texts can join a heredoc to what follows; what the original refuses is of no interest here.
      if (expected === null) return;
      read += 1;
      expect(fields(parseConfig(text, { name: 'f', syntax: 'hcl' }))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(scaled(250));
});

it('escapes only as a configuration error, whatever it is given', () => {
  const piece = fc.constantFrom(
    'a',
    '"',
    '{',
    '}',
    '[',
    ']',
    '=',
    ',',
    '<<E\n',
    'E\n',
    '#',
    '/*',
    '*/',
    '$',
    '${',
    '\\',
    '1',
    '-',
    '.',
    '\n',
    ' ',
    '\0',
    '\u{1F600}',
    '\ud800',
    ':',
    'null',
    'true',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('hcl' as const, 'json' as const),
      (pieces, syntax) => {
        try {
          parseConfig(pieces.join(''), { name: 'f', syntax });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});
