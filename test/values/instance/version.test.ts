import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionKind } from '../../../src/language/values/instance/version.js';
import { expectTotalOrder, orderOf } from './instances.js';

/** In order of their precedence; the first eight are the example of SemVer 2.0.0, section 11. */
const ascending = [
  ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11'],
  ...['1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0-0', '2.0.0--', '2.0.0', '10.0.0'],
  ...['900719925474099.0.0', '9007199254740993.0.0', '9007199254740994.0.0', `1${'0'.repeat(100)}.0.0`],
];

describe('a version', () => {
  it('has the precedence of SemVer', () => {
    for (const [at, text] of ascending.entries()) {
      for (const [other, against] of ascending.entries()) {
        expect([text, against, orderOf(versionKind, text, against)]).toEqual([
          text,
          against,
          Math.sign(at - other),
        ]);
      }
    }
  });

  it('takes no notice of build metadata and of a `v`', () => {
    expect(orderOf(versionKind, 'v1.2.3+build.5', '1.2.3')).toBe(0);
    expect(orderOf(versionKind, '1.2.3-rc.1+a', '1.2.3-rc.1+b-c.01')).toBe(0);
  });

  it.each([
    ...[
      '1',
      '1.2',
      '1.2.3.4',
      '01.2.3',
      '1.02.3',
      '1.2.03',
      '1.2.3-',
      '1.2.3-01',
      '1.2.3-a..b',
      '1.2.3+',
      '1.2.3+a+b',
    ],
    ...[
      '1.2.x',
      'V1.2.3',
      'vv1.2.3',
      ' 1.2.3',
      '1.2.3 ',
      '-1.2.3',
      '1.2.3-\u00fc',
      '',
      'v',
      '1.2.',
      '1.2.3\n',
    ],
    `1.2.3-${'a.'.repeat(100_000)}`,
  ])('is not %j', (text) => {
    expect(versionKind.parse(text)).toBeNull();
    expect(versionKind.read(text)).toBeNull();
  });

  it('is read from texts only', () => {
    expect([1, null, undefined, ['1.2.3']].map((value) => versionKind.read(value))).toEqual(
      Array(4).fill(null),
    );
    expect(versionKind.read('v1.2.3')).toEqual(versionKind.parse('1.2.3'));
    expect(versionKind.zero).toBeNull();
  });

  it('has the order of its first identifier that differs, however long what precedes it', () => {
    const identifier = fc.constantFrom('0', '1', '10', 'a', 'ab', 'b', '-', '99999999999999999999');
    const names = fc.array(identifier, { minLength: 1, maxLength: 3 });
    const shared = fc.constantFrom('', 'x.', 'x.'.repeat(60), '1.'.repeat(60));
    fc.assert(
      fc.property(shared, names, names, (before, left, right) => {
        const [a, b] = [left, right].map((each) => `1.0.0-${before}${each.join('.')}`);
        expect(orderOf(versionKind, a ?? '', b ?? '')).toBe(orderOfNames(left, right));
      }),
    );
  });

  it('is ordered', () => {
    const identifier = fc.constantFrom('0', '1', '10', 'a', 'A', 'a1', '-', '99999999999999999999');
    const literal = fc
      .tuple(
        fc.constantFrom('0.0.1', '1.0.0', '1.0.99999999999999999999'),
        fc.array(identifier, { maxLength: 3 }),
      )
      .map(([release, names]) => (names.length === 0 ? release : `${release}-${names.join('.')}`));
    expectTotalOrder(versionKind, literal);
  });
});

/** The order of two pre-releases, identifier by identifier. */
function orderOfNames([name, ...more]: readonly string[], [other, ...others]: readonly string[]): number {
  if (name === undefined || other === undefined)
    return Number(name !== undefined) - Number(other !== undefined);
  if (name === other) return orderOfNames(more, others);
  const [isNumber, isOtherNumber] = [name, other].map((each) => /^[0-9]+$/.test(each));
  if (isNumber !== isOtherNumber) return isNumber === true ? -1 : 1;
  const isLess = isNumber === true ? BigInt(name) < BigInt(other) : name < other;
  return isLess ? -1 : 1;
}
