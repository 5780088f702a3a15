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
        let place = 2;
        for (const part of parts) {
          const made = read(`"${part.replaceAll('`', '')}"`)!.text;
          if (made !== '') expect(found.sourceAt(at)).toBe(place);
          at += made.length;
          place += part.length;
        }
        expect(found.sourceAt(at)).toBe(place);
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

  it.each(['a + "x"', '`a${1}`', '1', '"x" - "y"'])(
    'are none where only the running program knows: %s',
    (source) => {
      expect(read(source)).toBeNull();
    },
  );
});
