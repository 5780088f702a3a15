import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../src/language/diagnostics/snippet.js';

/** The frame of the part of a text between `«` and `»`. */
function frame(marked: string, label = 'here'): string[] {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  return renderFrame(marked.replace(/[«»]/g, ''), { start, end }, label).split('\n');
}

describe('renderFrame', () => {
  it.each<[marked: string, code: string, carets: string]>([
    ['a «=» 1', '  1 | a = 1', '    |   ^ here'],
    ['«abc» == 1', '  1 | abc == 1', '    | ^^^ here'],
    ['a ==«»', '  1 | a ==', '    |     ^ here'],
    ['«»', '  1 |', '    | ^ here'],
    ['a == 1\nb «=» 2\nc == 3', '  2 | b = 2', '    |   ^ here'],
    ['a == 1\r\nb «=» 2\r\n', '  2 | b = 2', '    |   ^ here'],
    ['a == 1«\r\n»b', '  1 | a == 1', '    |       ^ here'],
    ['«\n»a', '  1 |', '    | ^ here'],
    ['\n«a»', '  2 | a', '    | ^ here'],
    ['a «(b\nc)» d', '  1 | a (b', '    |   ^^ here'],
    [`${'\n'.repeat(99)}a «=» 1`, '  100 | a = 1', '      |   ^ here'],
    ['\ta\t«=»\t1', '  1 |  a = 1', '    |    ^ here'],
    ['日本 «=» 1', '  1 | 日本 = 1', '    |      ^ here'],
    ['a == «"日本"»', '  1 | a == "日本"', '    |      ^^^^^^ here'],
    ['a == "😀" «=»', '  1 | a == "😀" =', '    |           ^ here'],
    ['a == "✅" «=»', '  1 | a == "✅" =', '    |           ^ here'],
    ['a == "e\u0301" «=»', '  1 | a == "e\u0301" =', '    |          ^ here'],
    ['a\u0000\u001b\u202e\u200b\u2028 «=»', '  1 | a····· =', '    |        ^ here'],
    ['a\ud800 «=»', '  1 | a· =', '    |    ^ here'],
  ])('marks %j', (marked, code, carets) => {
    expect(frame(marked)).toEqual([code, carets]);
  });

  it('writes no label where there is none', () => {
    expect(frame('a «=» 1', '')).toEqual(['  1 | a = 1', '    |   ^']);
  });

  it('shows a window of a long line', () => {
    const [code = '', carets = ''] = frame(`${'a'.repeat(300)}«=»${'b'.repeat(300)}`);
    expect(code).toBe(`  1 | …${'a'.repeat(48)}=${'b'.repeat(47)}…`);
    expect(carets).toBe(`    | ${' '.repeat(49)}^ here`);
  });

  it('shows the end of a long line for what is missing there', () => {
    const [code = '', carets = ''] = frame(`${'a'.repeat(300)}«»`);
    expect(code).toBe(`  1 | …${'a'.repeat(96)}`);
    expect(carets).toBe(`    | ${' '.repeat(97)}^ here`);
  });

  it('marks no more than the window shows', () => {
    const [code = '', carets = ''] = frame(`«${'a'.repeat(300)}»`);
    expect(code).toBe(`  1 | ${'a'.repeat(96)}…`);
    expect(carets).toBe(`    | ${'^'.repeat(96)} here`);
  });

  it('cuts no code point', () => {
    for (const lead of ['', 'x']) {
      const [code = ''] = frame(`${lead}${'😀'.repeat(100)}«=»${'😀'.repeat(100)}`);
      expect(code).not.toMatch(/·/);
    }
  });

  it.each([
    { start: -5, end: -1 },
    { start: 99, end: 100 },
    { start: 3, end: 1 },
  ])('puts up with the span %j', (span) => {
    expect(renderFrame('a == 1', span, 'here').split('\n')).toHaveLength(2);
  });

  it('has two lines, whatever the text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const property = fc.property(text, fc.nat(320), fc.nat(320), (source, start, end) => {
      const [code = '', carets = '', ...more] = renderFrame(source, { start, end }, 'here').split('\n');
      expect(more).toEqual([]);
      expect(code).toMatch(/^ {2}\d+ \|/);
      expect(carets).toMatch(/^ +\| +\^+ here$/);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
