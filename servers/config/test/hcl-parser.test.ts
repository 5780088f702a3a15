import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig, type ConfigValue } from '../src/index.js';
import { plain } from './support/plain.js';

function read(text: string): unknown {
  return plain(parseConfig(text, { name: 'a.hcl', syntax: 'hcl' }));
}

describe('HCL', () => {
  it.each<[text: string, tree: unknown]>([
    ['', {}],
    ['\uFEFF# nothing\n// here\n/* or\nhere */', {}],
    ['a = 1 b = 2', { a: [1], b: [2] }],
    ['a = -3, b = 1.5e3, c = 0x1F, d = 010, e = -0', { a: [-3], b: [1500], c: [31], d: [8], e: [0] }],
    ['a.b-c = true "d e" = false é = ""', { 'a.b-c': [true], 'd e': [false], é: [''] }],
    ['a {}', { a: [{}] }],
    ['a = { b = 1, c = 2, }', { a: [{ b: [1], c: [2] }] }],
    ['a "b" "c" { d = 1 }', { a: [{ b: [{ c: [{ d: [1] }] }] }] }],
    ['a { b = 1 } a { b = 2 }', { a: [{ b: [1] }, { b: [2] }] }],
    ['a = 1\na = 2', { a: [1, 2] }],
    ['a = [1, "b", [true], {c = 2},]', { a: [[1, 'b', [true], { c: [2] }]] }],
    [String.raw`a = "\t\"\\\u00e9\x41\101\U0001F600"`, { a: ['\t"\\éAA😀'] }],
    ['a = "$ ${foo("b")} \\n"', { a: ['$ ${foo("b")} \n'] }],
    ['a = "${x\n{y}}"', { a: ['${x\n{y}}'] }],
    ['a = <<EOF\n x\n  y\nEOF\nb = 1', { a: [' x\n  y\n'], b: [1] }],
    ['a = <<EOF\nx\n  EOF', { a: ['x\n  '] }],
    ['a = <<-EOF\n    x\n\n  EOF\n', { a: ['    x\n\n'] }],
    ['a = <<-EOF\n\t x\n\t y\n\tEOF\n', { a: [' x\n y\n'] }],
    ['a = [<<X\none\nX\n, 2]', { a: [['one\n', 2]] }],
    ['a = <<EOF\r\nx\r\nEOF\r\n', { a: ['x\r\n'] }],
    ['__proto__ { constructor = 1 }', JSON.parse('{"__proto__":[{"constructor":[1]}]}')],
  ])('%j', (text, tree) => expect(read(text)).toEqual(tree));

  it('reads header blocks as they are documented, with and without commas', () => {
    const header = (comma: string): string => `
      listener "tcp" {
        address = "127.0.0.1:8200"
        custom_response_headers {
          "default" = {
            "Content-Security-Policy" = ["default-src 'self'"]${comma}
            "X-Custom" = ["a", "b"]${comma}
          }${comma}
          "3xx" = { "X-Custom" = ["redirect"] }
        }
      }`;
    const headers = {
      default: [{ 'Content-Security-Policy': [["default-src 'self'"]], 'X-Custom': [['a', 'b']] }],
      '3xx': [{ 'X-Custom': [['redirect']] }],
    };
    const tree = {
      listener: [{ tcp: [{ address: ['127.0.0.1:8200'], custom_response_headers: [headers] }] }],
    };
    expect(read(header(''))).toEqual(tree);
    expect(read(header(','))).toEqual(tree);
  });

  it('knows the place of every key and value', () => {
    const [a, b] = parseConfig('a = 1\nb "c" {\n  d = "x"\n}', { name: 'f' }).entries;
    expect(a).toMatchObject({
      at: { source: 'f', line: 1, column: 1 },
      value: { at: { line: 1, column: 5 } },
    });
    expect(b).toMatchObject({
      at: { line: 2, column: 1 },
      value: {
        at: { line: 2, column: 3 },
        entries: [
          { key: 'c', value: { at: { line: 2, column: 7 }, entries: [{ at: { line: 3, column: 3 } }] } },
        ],
      },
    });
  });

  it.each<[text: string, message: string]>([
    ['a', '1:2: expected = or { after "a", found the end of the text'],
    ['a =', '1:4: expected a value, found the end of the text'],
    ['= 1', '1:1: expected the name of a setting or block, found "="'],
    [
      'a { 3xx = 1 }',
      '1:5: expected the name of a setting or block, found "3": a name that begins with a digit must be in',
    ],
    ['a = foo', '1:5: expected a value, found "foo": write text in quotes'],
    ['a = 5m', '1:5: this is no number: write text in quotes'],
    ['a = 08', '1:5: a number with a leading zero is octal: leave the zero out'],
    ['a = 127.0.0.1', '1:10: expected the name of a setting or block, found "."'],
    ['a "b" = {}', '1:7: a block with a label has no ='],
    ['a = [1 2]', '1:8: expected , or ] in a list, found "2"'],
    ['a = [,1]', '1:6: expected a value, found ","'],
    ['a=1,,b=2', '1:5: expected the name of a setting or block, found ","'],
    ['a {\n  b = 1\n', '3:1: the text ends inside a block: a closing } is missing'],
    ['a = 1 }', '1:7: expected the name of a setting or block, found "}"'],
    ['a = "x\ny"', '1:5: this string has no closing quote on its line'],
    ['a = "${x"', '1:6: this ${ has no closing brace'],
    [String.raw`a = "C:\dir"`, String.raw`1:8: unknown escape in a string: write a backslash as \\`],
    [String.raw`a = "\ud800"`, '1:6: this escape is no character'],
    ['a = <<EOF x\nEOF', '1:5: a heredoc begins with << or <<-, a name, and the end of the line'],
    ['a = <<EOF\nx\n', '1:5: this heredoc has no line EOF at its end'],
    ['/* x', '1:1: this comment has no closing */'],
    ['a = \x1b[0m', '1:5: expected a value, found the character U+001B'],
    ['a = 1;', '1:6: expected the name of a setting or block, found ";"'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(`a.hcl:${message}`);
  });

  it.each<[text: string, message: string]>([
    [`a = ${'['.repeat(40)}`, '1:38: nested deeper than 32 levels'],
    [`a ${'{ b '.repeat(40)}`, 'nested deeper than 32 levels'],
    [`a ${'"b" '.repeat(40)} {}`, 'more than 32 labels'],
    [`a = <<EOF\n${'x\n'.repeat(40_000)}EOF`, '1:5: this heredoc is longer than 65536 characters'],
    ['#'.repeat(1_048_577), '1:1: the text is longer than 1048576 characters'],
  ])('keeps its bounds: %#', (text, message) => expect(() => read(text)).toThrow(message));

  it('takes other bounds', () => {
    expect(() => parseConfig('a = 1', { name: 'f', limits: { maxLength: 4 } })).toThrow('longer than 4');
  });
});

describe('HCL 2', () => {
  const read2 = (text: string): unknown => plain(parseConfig(text, { name: 'a.hcl', syntax: 'hcl2' }));

  it.each<[text: string, tree: unknown]>([
    ['a = 1\nb = "x" # c\nc = [1, 2]\nd { e = null }', { a: [1], b: ['x'], c: [[1, 2]], d: [{ e: [null] }] }],
    ['a = { b : 1, "c d" : true }', { a: [{ b: [1], 'c d': [true] }] }],
    ['a = <<-E\n    x\n\n      y\n  E\n', { a: ['x\n\n  y\n'] }],
    ['a = <<-E\n\t\tx\n \n\ty\n\t\t\tE\n', { a: ['\tx\n \ny\n'] }],
    ['a = <<E\n  x\n  E\n', { a: ['  x\n'] }],
    ['a = <<-E\nE\n', { a: [''] }],
    ['a = 1 // c\nb = 2 /* d */ c = 3', { a: [1], b: [2], c: [3] }],
    ['a = 010\nb = -007.50\nc = 1.5e3', { a: [10], b: [-7.5], c: [1500] }],
    ['a { b = attr.unique.hostname }', { a: [{ b: ['${attr.unique.hostname}'] }] }],
    [
      'a = [NOMAD_ALLOC_ID, env["X"], node.class]',
      { a: [['${NOMAD_ALLOC_ID}', '${env["X"]}', '${node.class}']] },
    ],
    ['a = "$${x} %%{ if }"', { a: ['${x} %{ if }'] }],
    ['a = "${5}"\nb = "${true}"\nc = "${"x"}"\nd = "n${1.50}"', { a: [5], b: [true], c: ['x'], d: ['n1.5'] }],
    ['a = "${"}"}-${ meta["}"] }"', { a: ['}-${meta["}"]}'] }],
    ['a = "x ${~ attr.y ~} z ${ attr.z }"', { a: ['x${attr.y}z ${attr.z}'] }],
    ['a = <<E\n$${x} ${ node.id } ${5}\nE\n', { a: ['${x} ${node.id} 5\n'] }],
    ['a = "%{x} 5% $5"', { a: ['%{x} 5% $5'] }],
  ])('%j', (text, tree) => expect(read2(text)).toEqual(tree));

  it.each<[text: string, expression: string]>([
    ['a = var.x', 'var.x'],
    ['a = var.x # c', 'var.x'],
    ['a = [1, local.y]', 'local.y'],
    ['a = 1 + 2\nb = 1', '1 + 2'],
    ['a = -x', '-x'],
    ['a = "x" == "}" ? [1] : {}', '"x" == "}" ? [1] : {}'],
    ['a = jsonencode({\n  b = ")"\n})\nc = 1', 'jsonencode({\n  b = ")"\n})'],
    ['a = [for s in var.x : upper(s)]', '[for s in var.x : upper(s)]'],
    ['a = {\n for k, v in x : k => v }', '{\n for k, v in x : k => v }'],
    ['a = trimspace(<<E\n) "\nE\n)', 'trimspace(<<E\n) "\nE\n)'],
    ['a = ["x", "y"][0]', '["x", "y"][0]'],
    ['a = list(object({b=string}))', 'list(object({b=string}))'],
  ])('keeps what it does not compute: %j', (text, expression) => {
    const found: string[] = [];
    const look = (value: ConfigValue): void => {
      if (value.kind === 'expression') found.push(value.text);
      if (value.kind === 'list') value.items.forEach(look);
      if (value.kind === 'object') value.entries.forEach((entry) => look(entry.value));
    };
    look(parseConfig(text, { name: 'a.hcl', syntax: 'hcl2' }));
    expect(found).toEqual([expression]);
  });

  it('distinguishes blocks from objects', () => {
    const [a, b] = parseConfig('a "x" { c = 1 }\nb = { c = 1 }', { name: 'a.hcl', syntax: 'hcl2' }).entries;
    expect(a?.value).toMatchObject({ isBlock: true, entries: [{ value: { isBlock: true } }] });
    expect(b?.value).not.toHaveProperty('isBlock');
  });

  it.each([
    ['a = (1', '1:5: this expression ends inside brackets'],
    ['a = f("x', '1:7: this string has no closing quote'],
    ['a : 1 b', 'expected = or {'],
    ['a = 0x3c', '1:5: this is no number'],
    ['a = .5', '1:5: expected a value'],
    ['a = 1e999', '1:5: this number is too large'],
    ['a = <<E\n${x\nE\n', 'this ${ has no closing brace'],
  ])('refuses %j', (text, mistake) => expect(() => read2(text)).toThrow(mistake));

  it('takes no time that grows faster than the text', () => {
    const deep = `a = ${'['.repeat(30)}1${' + 1]'.repeat(30)} + 1`;
    expect(read2(deep)).toBeDefined();
  });
});
