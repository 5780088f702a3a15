import { parseSchema } from 'tamis';
import { describe, expect, it } from 'vitest';
import { inferSchema } from '../src/worker/infer-schema.js';
import { fieldLines, kindChoices, titleOf, withHidden, withType } from '../src/view/schema-edit.js';

const schema = inferSchema([
  { a: 'x', b: { c: [{ d: 1, e: 'y' }] } },
  { a: null, b: { c: [] } },
]);

describe('editing a schema', () => {
  it('lists the fields, those of structs below theirs', () => {
    expect(fieldLines(schema).map(({ property, depth, title }) => [property, depth, title])).toEqual([
      ['a', 0, 'string'],
      ['b', 0, 'struct'],
      ['c', 1, 'list of struct'],
      ['d', 2, 'int'],
      ['e', 2, 'string'],
    ]);
  });

  it.each(kindChoices)('makes a field $title, which the engine takes', ({ title, type }) => {
    const line = fieldLines(schema)[0]!;
    const changed = withType(schema, line, type);
    parseSchema(changed);
    expect(fieldLines(changed)[0]).toMatchObject({ property: 'a', title });
    expect(titleOf(type)).toBe(title);
  });

  it('keeps that a field may be null or is hidden', () => {
    const [line] = fieldLines(schema);
    const hidden = withHidden(schema, line!, true);
    expect(fieldLines(withType(hidden, line!, { kind: 'int' }))[0]?.type).toEqual({
      kind: 'int',
      nullable: true,
      hidden: true,
    });
    expect(parseSchema(hidden).root.fields.has('a')).toBe(false);
  });
});
