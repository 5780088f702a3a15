import { describe, expect, it } from 'vitest';
import { hover } from '../../src/entries/editor.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Priority: t.int,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  SecretID: t.hidden(t.string),
  Submitted: t.time,
  Timeout: t.duration('s'),
  Address: t.ip,
});

/** What is said about the place at `|`, and which text it is about. */
function at(marked: string, known: typeof schema | null = schema): [string, string] | null {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = hover(text, offset, { schema: known ?? undefined });
  return found === null ? null : [text.slice(found.span.start, found.span.end), found.text];
}

describe('hover', () => {
  it.each<[string, [string, string] | null]>([
    ['I|D == x', ['ID', 'ID: string']],
    ['|Meta.owner == x', ['Meta', 'Meta: map of string']],
    ['Meta.ow|ner == x', ['Meta.owner', 'Meta.owner: string']],
    ['Meta["a |b"] == x', ['Meta["a b"]', 'Meta["a b"]: string']],
    ['Groups.0.Na|me == x', ['Groups.0.Name', 'Groups.0.Name: string']],
    ['Perio|dic is nil', ['Periodic', 'Periodic: nullable struct']],
    ['ID |== x', ['==', '==: ID is equal to the value']],
    [
      'Meta.a not con|tains x',
      ['not contains', 'not in: Meta.a does not contain the text; true for a missing key'],
    ],
    ['Datacenters cont|ains x', ['contains', 'in: Datacenters has an element equal to the value']],
    ['k i|n Meta', ['in', 'in: Meta has the value as a key']],
    ['Periodic is |nil', ['is nil', 'is nil: Periodic is null']],
    ['Priority matc|hes x', ['matches', 'matches: Priority never applies to this kind']],
    ['Priority == |70', ['70', '"70", read as int']],
    ['ID == |"70"', ['"70"', 'the text "70"']],
    ['"|k" in Meta', ['"k"', 'the key "k"']],
    ['ID matches "^|a"', ['"^a"', 'the pattern "^a", found anywhere in the string']],
    ['any Groups as g { |g.Name == x }', ['g', 'g: element, struct']],
    ['any Groups as g { g.Cou|nt == x }', ['g.Count', 'g.Count: int']],
    ['any Gro|ups as g { g.Count == x }', ['Groups', 'Groups: list of struct']],
    ['all Meta as k { k| == x }', null],
    ['all Meta as k { |k == x }', ['k', 'k: key, string']],
    ['Priority |>= 5', ['>=', '>=: Priority is at least the value']],
    ['Priority in [5, |70]', ['70', '"70", read as int']],
    ['ID |in ["a"]', ['in', 'in [..]: ID is one of the values']],
    ['len(Meta) |> 2', ['>', '>: len(Meta) is more than the value']],
    ['len(Me|ta) > 2', ['Meta', 'Meta: map of string']],
    ['Priority < @Gro|ups.0.Count', ['Groups', 'Groups: list of struct']],
    ['ID == |"a"i', ['"a"i', 'the text "a", upper and lower case alike']],
    ['ID like |"a*"', ['"a*"', 'the glob "a*" for the whole string: * matches any characters, ? one']],
    ['Submitted > |now', ['now', 'the time at which the filter is evaluated']],
    [
      'Submitted > |now - 7d',
      ['now - 7d', 'now - 7d, counted from the time at which the filter is evaluated'],
    ],
    ['Submitted == |now', ['now', 'the text "now"']],
    ['Timeout > 7|d', ['7d', '7d, read as duration in s']],
    ['Address in [|10.0.0.0/8]', ['10.0.0.0/8', '10.0.0.0/8, the addresses of a block']],
    // A text that goes wrong later.
    ['I|D == x and Prio', ['ID', 'ID: string']],
    ['(any Groups as g { g.Na|me == x and ', ['g.Name', 'g.Name: string']],
    ['ID == x and Pri|o', null],
    ['ID == x | and ID == y', null],
    ['Secret|ID == x', null],
    ['Nothing|Known == x', null],
    ['|', null],
    ['))|', null],
  ])('%s', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });

  it('without a schema says what the operators do', () => {
    expect(at('I|D == x', null)).toEqual(['ID', 'ID: any kind, as the row has it']);
    expect(at('ID con|tains x', null)).toEqual(['contains', 'in: ID has the element, key or text']);
    expect(at('ID == |x', null)).toEqual(['x', 'the string "x", converted to the kind of the row\'s value']);
  });
});
