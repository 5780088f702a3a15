import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, FilterCheckError, FilterSyntaxError, t } from '../../src/index.js';

const schema = defineSchema({
  ID: t.string,
  _id: t.int,
  'First Name': t.string,
  'a.b': t.string,
  'node-id': t.string,
  'Tag List': t.list(t.string),
  '@at': t.time,
  Meta: t.map(t.string),
});

/** The corrected filter and the hint of the first mistake. */
function correction(text: string, level: 0 | 1 = 1): readonly [string | null, string | null] {
  try {
    compileFilter(text, { schema, level });
  } catch (error) {
    if (!(error instanceof FilterCheckError || error instanceof FilterSyntaxError)) throw error;
    const [first] = error.suggestions;
    if (first === undefined) return [null, error.hint];
    return [text.slice(0, first.span.start) + first.replacement + text.slice(first.span.end), error.hint];
  }
  throw new Error(`no mistake: ${text}`);
}

describe('hints about fields whose names are not identifiers', () => {
  it.each([
    ['["First Nam"] == x', '["First Name"] == x'],
    ['["Id"] == x', 'ID == x'],
    ['ID == @["First Nam"]', 'ID == @["First Name"]'],
    ['_idd == 1', '_id == 1'],
    ['a.b == x', '"/a.b" == x'],
    ['node_id == x', '"/node-id" == x'],
    ['not ["First Name"] == x', 'not (["First Name"] == "x")'],
    ['x in ["Tag List"]', '["Tag List"] contains x'],
    ['ID not in ["a"] and x not in ["Tag List"]', 'ID not in ["a"] and ["Tag List"] not contains x'],
    ['First Name == x', '["First Name"] == x'],
    ['"First Name" == Ann', '["First Name"] == Ann'],
    ['@at > now - 7d', '["@at"] > now - 7d'],
    ['ID == x and Tag List contains y', 'ID == x and ["Tag List"] contains y'],
    ['[First Name] == x', '["First Name"] == x'],
    ['"x" in ["Tag List"]', '["Tag List"] contains "x"'],
  ])('correct %s to %s', (text, corrected) => {
    expect(correction(text)[0]).toBe(corrected);
    expect(() => compileFilter(corrected, { schema })).not.toThrow();
  });

  it.each(['"/First" == x', 'First_Name == x'])('suggest no brackets at level 0 for %s', (text) => {
    const [corrected] = correction(text, 0);
    expect(corrected ?? '').not.toContain('[');
  });
});
