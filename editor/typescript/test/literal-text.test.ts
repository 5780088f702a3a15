import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { escape, readLiteralText } from '../src/literal-text.js';

const none = (): null => null;

function read(source: string): ReturnType<typeof readLiteralText> {
  const file = ts.createSourceFile('x.ts', `(${source});`, ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  return statement !== undefined && ts.isExpressionStatement(statement)
    ? readLiteralText(ts, statement.expression, none)
    : null;
}

/** As people write it: nothing is escaped that need not be, and NUL is short. */
function tight(text: string, quote: string): string {
  return escape(text, quote).replaceAll(/\\u0000(?![0-9])/g, '\\0');
}

describe('texts of programs', () => {
  it('are what the compiler reads, and each character is where it is written', () => {
    const pieces = fc.constantFrom(
      'a',
      ' ',
      '\\n',
      '\\x41',
      '\\u0041',
      '\\u{1f600}',
      '\\\\',
      '\\0',
      '\\\n',
      '😀',
      '\\q',
      '\\"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.constantFrom('"', "'", '`'), (parts, quote) => {
        const source = `${quote}${parts.join('')}${quote}`;
        const found = read(source)!;
        const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
        expect(found.text).toBe(
          ((file.statements[0] as ts.ExpressionStatement).expression as ts.StringLiteral).text,
        );
        let at = 0;
        let position = 2;
        for (const part of parts) {
          const made = read(`"${part.replaceAll('`', '')}"`)!.text;
          if (made !== '') expect(found.sourceAt(at)).toBe(position);
          at += made.length;
          position += part.length;
        }
        expect(found.sourceAt(at)).toBe(position);
      }),
    );
  });

  it('are written so that they are read as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('"', "'", '`'), (text, quote) => {
        expect(read(`${quote}${escape(text, quote)}${quote}`)?.text).toBe(text);
      }),
    );
  });

  it('are after a change what they were, but for the part that is changed', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '\\',
        '$',
        '{',
        '}',
        '${',
        '\0',
        '7',
        '\n',
        '\r',
        '\u2028',
        'é',
        '😀',
        'a',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const texts = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
    const quotes = fc.constantFrom('"', "'", '`');
    const written = fc.array(fc.tuple(texts, quotes), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(written, texts, fc.nat(), fc.nat(), (parts, piece, one, two) => {
        const source = parts.map(([text, quote]) => `${quote}${tight(text, quote)}${quote}`).join(' + ');
        const found = read(source)!;
        const { text } = found;
        const [start, end] = [one % (text.length + 1), two % (text.length + 1)].sort((a, b) => a - b) as [
          number,
          number,
        ];
        // The source is in brackets.
        const change = found.change(start, end, piece);
        if (change === null) return;
        const changed = `(${source}`.slice(0, change.start) + change.text + `(${source}`.slice(change.end);
        expect(read(changed.slice(1))?.text).toBe(text.slice(0, start) + piece + text.slice(end));
      }),
    );
  });

  it('are changed in one place or in none', () => {
    const whole = read(`'Roo' + " > 3 and Roo < 9"`)!;
    expect(whole.change(0, 3, 'Roe')).toEqual({ start: 2, end: 5, text: 'Roe' });
    expect(whole.change(1, 4, 'x')).toBeNull();
    expect(whole.change(12, 15, '"')).toEqual({ start: 19, end: 22, text: '\\"' });
  });

  it('are in the source only where they are written', () => {
    const code = `const a = 'Roe'; other; (a + ' > 3' + a);`;
    const file = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true);
    const [declared, , used] = file.statements as unknown as [
      ts.VariableStatement,
      ts.Statement,
      ts.ExpressionStatement,
    ];
    const found = readLiteralText(
      ts,
      used.expression,
      () => declared.declarationList.declarations[0]!.initializer!,
    )!;
    expect(found.text).toBe('Roe > 3Roe');
    expect(found.offsetAt(code.indexOf('other'))).toBeNull();
    expect(found.offsetAt(code.indexOf('oe'))).toBe(1);
    expect(found.rangeOf(0, 7)).toEqual({ start: code.indexOf('Roe'), end: code.indexOf("';") });
    // It occurs twice in the string.
    expect(found.change(0, 3, 'Row')).toBeNull();
  });

  it.each(['a + "x"', '`a${1}`', '1', '"x" - "y"'])(
    'returns null if the value is only known at run time: %s',
    (source) => {
      expect(read(source)).toBeNull();
    },
  );
});
