import { describe, expect, it } from 'vitest';
import type { CodeSet } from '../../../src/language/values/pattern/code-set.js';
import type { Node } from '../../../src/language/values/pattern/node.js';
import { asSingleLine } from '../../../src/language/values/pattern/single-line.js';
import { parsePattern } from '../../../src/language/values/pattern/parser.js';
import { simplify } from '../../../src/language/values/pattern/simplify.js';

const simple = (source: string): string => render(simplify(parsePattern(source).node));

describe('simplification', () => {
  it.each([
    // The open ends of a search
    ['.*/web', '/web'],
    ['web-.*', 'web-'],
    ['a+', 'a'],
    ['a+b+', 'ab'],
    ['^a+', '^a'],
    ['a+$', 'a$'],
    ['a{3,9}', 'a{3}'],
    ['(ab*){3}', '(ab*){2}a'],
    ['x|xyz', 'x'],
    ['(web|api).*', 'web|api'],
    ['(web.*|api)', 'web|api'],
    ['.*(foo|bar)?', ''],
    ['\\b.*', '\\b'],
    ['foo\\b.*', 'foo\\b'],
    ['(?s)^.*x', 'x'],
    ['(?s)x.*$', 'x'],
    ['^.*x', '^.*x'],
    ['(?m)^.*x.*$', 'x'],
    ['(?m)^x', '\\lx'],
    ['^', ''],
    ['$', ''],
    ['(?m)$', ''],
    ['^$', '^$'],
    // Loops
    ['^(a*)*$', '^a*$'],
    ['^(a+)+$', '^a+$'],
    ['^(a?)+$', '^a*$'],
    ['^(a+)?$', '^a*$'],
    ['^(a|b*)*$', '^[ab]*$'],
    ['^(a*b*)*$', '^[ab]*$'],
    ['^(ab?)*$', '^(ab?)*$'],
    ['^(a{2,3})*$', '^(a{2,3})*$'],
    ['^(a{1,3})*$', '^a*$'],
    ['^(a{2}){3}$', '^(a{2}){3}$'],
    ['^(a?){2,}$', '^a*$'],
    ['^((ab)+|c)+$', '^(ab|c)+$'],
    ['^(\\ba?)*$', '^(\\ba?)*$'],
    ['^(\\b)*$', '^$'],
    ['^(\\b)+a$', '^\\ba$'],
    ['^()*a$', '^a$'],
    ['^a{1}b{0}$', '^a$'],
    // Alternatives
    ['^(a|b|[0-9])$', '^[0-9ab]$'],
    ['^(foo|fob)$', '^fo[bo]$'],
    ['^(foo|bar|fob)$', '^(fo[bo]|bar)$'],
    ['^(a|ab)$', '^ab?$'],
    ['^(|a)$', '^a?$'],
    ['^(a||b)$', '^[ab]?$'],
    ['^(a*|)$', '^a*$'],
    ['^(\\pL*|\\PL*)x$', '^(?*|?*)x$'],
    ['(^a|^b)', '^[ab]'],
    ['^(a*b|a*c)$', '^a*[bc]$'],
    // What cannot match
    ['a^', '∅'],
    ['$a', '∅'],
    ['a^|b', 'b'],
    ['[^\\x00-\\x{10FFFF}]', '∅'],
    ['^[^\\x00-\\x{10FFFF}]*a', '^a'],
    ['[^\\x00-\\x{10FFFF}]+a', '∅'],
    ['^^a', '^a'],
    ['(?m)a$\\n^b', 'a\\r\n\\lb'],
  ])('%s is %s', (source, expected) => {
    expect(simple(source)).toBe(expected);
  });
});

describe('texts of one line', () => {
  it.each([
    ['^.*web.*$', 'web'],
    ['(?m)^web$', '^web$'],
    ['(^.*a)?b.{2}', 'b∙{2}'],
  ])('read %s as %s', (source, expected) => {
    expect(render(simplify(asSingleLine(simplify(parsePattern(source).node))))).toBe(expected);
  });

  it('leave everything else as it is', () => {
    const { node } = parsePattern('^a|[^b]{2,3}(c$)*');
    expect(asSingleLine(node)).toBe(node);
  });
});

/** A short form of a tree: `∙` is any character, `?` a class too large to write, `\l` and `\r` the ends of lines. */
function render(node: Node): string {
  switch (node.kind) {
    case 'fail':
      return '∅';
    case 'empty':
      return '';
    case 'chars':
      return printSet(node.set);
    case 'assert':
      return positions[node.position];
    case 'sequence':
      return node.parts.map((part) => (part.kind === 'choice' ? `(${render(part)})` : render(part))).join('');
    case 'choice':
      return node.options.map(render).join('|');
    case 'repeat': {
      const body = node.body.kind === 'chars' ? render(node.body) : `(${render(node.body)})`;
      return body + counts(node.min, node.max);
    }
  }
}

const positions = {
  'text-start': '^',
  'text-end': '$',
  'line-start': '\\l',
  'line-end': '\\r',
  'word-edge': '\\b',
  'no-word-edge': '\\B',
};

function counts(min: number, max: number): string {
  if (max === Infinity) return ['*', '+'][min] ?? `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printSet(set: CodeSet): string {
  const [low = 0, high = 0] = set;
  if (set.join() === '0,9,11,1114111') return '.';
  if (set.join() === '0,1114111') return '∙';
  if (set.length > 8) return '?';
  if (low === high && set.length === 2) return String.fromCodePoint(low);
  let text = '';
  for (let i = 0; i < set.length; i += 2) {
    const [from, to] = [String.fromCodePoint(set[i]!), String.fromCodePoint(set[i + 1]!)];
    text += from === to ? from : set[i]! + 1 === set[i + 1] ? from + to : `${from}-${to}`;
  }
  return `[${text}]`;
}
