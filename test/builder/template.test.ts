import { describe, expect, it } from 'vitest';
import { FilterSyntaxError, parse, compileFilter } from '../../src/index.js';
import { field, filter, where, type Condition } from '../../src/entries/builder.js';

describe('the template tag', () => {
  it.each<[Condition, string]>([
    [filter`Status == running`, 'Status == running'],
    [filter`Name == ${'web'}`, 'Name == "web"'],
    [filter`Name == ${''}`, 'Name == ""'],
    [filter`Name == ${'5'}`, 'Name == "5"'],
    [filter`Path == ${'/srv/x'}`, 'Path == `/srv/x`'],
    [filter`Name == ${'a" or Name != "'}`, String.raw`Name == "a\x22 or Name != \x22"`],
    [filter`Name == ${'tab\t, \\, `, \0'}`, 'Name == "tab\\t, \\\\, `, \\x00"'],
    [filter`Count == ${5} and Load != ${-0.5}`, 'Count == 5 and Load != -0.5'],
    [filter`Count == ${-0}`, 'Count == 0'],
    [filter`Load == ${1e-7} or Load == ${-Infinity}`, 'Load == 0.0000001 or Load == "-Infinity"'],
    [filter`Index == ${2n ** 64n}`, 'Index == 18446744073709551616'],
    [filter`Stop == ${true}`, 'Stop == true'],
    [filter`${'dc1'} in Datacenters`, '"dc1" in Datacenters'],
    [filter`Meta[${'cpu.arch'}] == ${'5'}`, 'Meta["cpu.arch"] == "5"'],
    [filter`any Groups[${'a'}][${'/b'}] as g { g.${0} == ${1} }`, 'any Groups["a"][`/b`] as g { g.0 == 1 }'],
    [filter`${field('Meta', 'cpu.arch')} != ${field.name}`, 'Meta["cpu.arch"] != "field"'],
    [filter`${'x'} in ${field('L', 0)}`, '"x" in L.0'],
    [filter`any ${where('Groups')} as g { g is empty }`, 'any Groups as g { g is empty }'],
    [filter`${field('cpu.arch')} is nil`, '"/cpu.arch" is nil'],
    [filter`not ${filter`a == ${1} or b == ${2}`}`, 'not (a == 1 or b == 2)'],
    [filter`${parse('not(a==1)')} and ${compileFilter('"x"in b')}`, '(not a == 1) and ("x" in b)'],
    [filter`${parse('a == 1 and b == 2').ast} and c == 3`, '(a == 1 and b == 2) and c == 3'],
    [filter`a == 1 and ${parse('b == 2 and c == 3')}`, 'a == 1 and (b == 2 and c == 3)'],
    [filter`Name matches \`\d+\` and X == \`\${Y}$\{Z}\``, 'Name matches `\\d+` and X == `${Y}${Z}`'],
    [filter`Name matches "\\d+\x22"`, String.raw`Name matches "\\d+\x22"`],
  ])('%s', (condition, text) => {
    expect(condition.source).toBe(text);
    expect(String(condition)).toBe(text);
    expect(condition.ast).toEqual(parse(text).ast);
  });

  const dayjs: unknown = { toString: () => 'x' };

  it.each<[string, () => unknown, string]>([
    [
      'undefined',
      () => filter`A == ${undefined as never}`,
      'filter: value 1 (behind "A == "): undefined cannot be compared',
    ],
    [
      'null',
      () => filter`A == ${1} and B == ${null as never}`,
      'value 2 (behind "A == 1 and B == "): null cannot be compared',
    ],
    ['NaN', () => filter`A == ${NaN}`, 'NaN is not equal to any value'],
    ['an unsafe integer', () => filter`A == ${2 ** 53}`, '9007199254740992 is beyond the integers'],
    ['a list', () => filter`A == ${['x'] as never}`, 'an array must be alone after "in"'],
    ['a Date', () => filter`A == ${new Date(0) as never}`, 'a Date has many string forms'],
    ['a RegExp', () => filter`A matches ${/x/ as never}`, 'is not RE2'],
    ['an object', () => filter`A == ${dayjs as never}`, 'got an object'],
    ['a boxed text', () => filter`A == ${Object('x') as never}`, 'got an object'],
    ['a function', () => filter`A == ${(() => 'x') as never}`, 'got a function'],
    ['a symbol', () => filter`A == ${Symbol('x') as never}`, 'got a symbol'],
    ['an unpaired surrogate', () => filter`A == ${'x\ud800y'}`, 'an unpaired surrogate at index 1'],
    [
      'data that looks like a tree',
      () => filter`A == 1 or ${structuredClone(parse('B == 1').ast)}`,
      'got an object',
    ],
    [
      'data that looks like a filter',
      () => filter`${JSON.parse(JSON.stringify(parse('B == 1'))) as never}`,
      'got an object',
    ],
    ['data that looks like a path', () => filter`${{ path: ['B'] }} == 1`, 'got an object'],
    ['an element', () => where('L').any((x) => filter`${x} == 1`), 'has no name in a template'],
    ['a leaked element', () => filter`${leak()}`, 'is valid only there'],
    ['a plain call', () => filter(['A == 1'] as never), 'filter is a template tag'],
    ['a call with text', () => filter('A == 1' as never), 'filter is a template tag'],
  ])('refuses %s', (_, attempt, message) => {
    expect(attempt).toThrow(TypeError);
    expect(attempt).toThrow(message);
  });

  function leak(): Condition {
    let leaked: Condition | null = null;
    where('L').any((element) => (leaked = element.is(1)));
    return leaked ?? filter`never == 1`;
  }

  const values = ['x', '', '/x', ' or Name != ', '" or "" == "', '`', '\\', 5, true, 1n] as const;
  const paths = [field('A'), field('cpu.arch'), where('A', 'b')];
  const conditions = [where('A').is(1), parse('A == "x" or B is nil'), filter`"x" in A`];

  it.each<[string, (hole: never) => unknown, readonly unknown[]]>([
    ['a value within double quotes', (x) => filter`Name == "${x}"`, values],
    ['a value within double quotes, next to text', (x) => filter`Name == "a ${x} b"`, values],
    ['a value within backticks', (x) => filter`Name == \`${x}\``, values],
    ['a value within backticks, next to text', (x) => filter`Name == \`a ${x} b\``, values],
    ['a value behind a backslash', (x) => filter`Name == "a\\${x}"`, values],
    ['a value within a pointer', (x) => filter`"/Meta/${x}" == 1`, values],
    ['a value joined to a word', (x) => filter`Name == a${x}`, values],
    ['a value joined to a number', (x) => filter`Name == -${x}`, values],
    ['two values', (x) => filter`Name == ${x}${x}`, values],
    ['a value within the brackets of a bare value', (x) => filter`Name == a[${x}]`, values],
    ['a value for a part of a path', (x) => filter`${x}.b == 1`, values],
    ['a value for a condition', (x) => filter`a == 1 and ${x}`, values],
    ['a value for a binding', (x) => filter`any L as ${x} { a == 1 }`, values],
    ['a path for a value', (x) => filter`Name == ${x}`, paths],
    ['a path for a condition', (x) => filter`a == 1 and ${x}`, paths],
    ['a path for a key', (x) => filter`Meta[${x}] == 1`, paths],
    ['a path with more behind it', (x) => filter`${x}.b == 1`, paths],
    ['a path within quotes', (x) => filter`"${x}" == 1`, paths],
    ['a path within a literal', (x) => filter`Name == "${x}"`, paths],
    ['a condition for a value', (x) => filter`Name == ${x}`, conditions],
    ['a condition for a path', (x) => filter`${x} == 1`, conditions],
    ['a condition within a literal', (x) => filter`Name == "${x}"`, conditions],
    ['a condition within backticks', (x) => filter`Name == \`${x}\``, conditions],
  ])('refuses %s, whatever it is', (_, attempt, holes) => {
    for (const hole of holes) {
      const refusal = refusalOf(() => attempt(hole as never));
      expect(
        refusal instanceof TypeError || refusal instanceof FilterSyntaxError,
        `${String(hole)}: ${String(refusal)}`,
      ).toBe(true);
    }
  });

  function refusalOf(attempt: () => unknown): unknown {
    try {
      return `accepted as ${String(attempt())}`;
    } catch (error) {
      return error;
    }
  }

  it('names the hole if a value replaces a field', () => {
    expect(() => filter`a == 1 and ${''} == 5`).toThrow(
      'filter: value 1 (behind "a == 1 and "): a value must be alone',
    );
    expect(() => filter`${'/Name'} == 5`).toThrow(FilterSyntaxError);
  });

  it('leaves mistakes in the text around the holes to the parser', () => {
    expect(() => filter`Name = ${'x'}`).toThrow(FilterSyntaxError);
    expect(() => filter`Name == ${'x'} Status == y`).toThrow(FilterSyntaxError);
  });
});
