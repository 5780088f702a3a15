import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { completeLine } from '../../src/command/completion.js';
import { createFieldCatalog } from '../../src/entries/editor.js';

const rows = [
  {
    ID: 'a',
    Status: 'running',
    StatusText: 'fine',
    Priority: 50,
    Datacenters: ['dc1', 'dc2'],
    Meta: { owner: 'me', 'cost.center': '42', 'a"b': 'x' },
    TaskGroups: [{ Name: 'web', Tasks: [{ Driver: 'docker' }] }],
    'odd name': 1,
  },
  { ID: 'b', Status: 'dead', Datacenters: ['dc1'], Meta: null, TaskGroups: [] },
  { ID: 'c', Status: 'running', Datacenters: [], Meta: { owner: 'you' }, TaskGroups: [{ Name: 'db' }] },
];
const catalog = createFieldCatalog(rows, null);
it('takes rows in an array alone', () => {
  expect(() => createFieldCatalog(new Set(rows) as never)).toThrow('rows must be an array');
});
const operators = [
  ...['==', '!=', '<', '<=', '>', '>=', 'in [', 'not in [', 'contains', 'not contains'],
  ...[
    'starts with',
    'not starts with',
    'ends with',
    'not ends with',
    'like',
    'not like',
    'matches',
    'not matches',
  ],
  ...['is empty', 'is not empty', 'is nil', 'is not nil', 'in', 'not in'],
];
const names = ['ID', 'Status', 'StatusText', 'Priority', 'Datacenters', 'Meta', 'TaskGroups'];
const words = ['not', 'any', 'all', 'len('];
const operand = [...names, '["odd name"]', ...words];

describe('completeLine', () => {
  // line, fragment, candidates
  it.each<[string, string, string[]]>([
    ['', '', operand],
    ['(', '', operand],
    ['not ', '', [...names, ...words]],
    ['Sta', 'Sta', ['Status', 'StatusText']],
    ['sta', 'sta', ['Status', 'StatusText']],
    ['Zzz', 'Zzz', []],
    ['n', 'n', ['not']],
    ['an', 'an', ['any']],
    ['a', 'a', ['any', 'all']],
    ['Status ', '', operators],
    ['Status =', '=', ['==']],
    ['Status c', 'c', ['contains']],
    ['Status is ', '', ['empty', 'not empty', 'nil', 'not nil']],
    ['Status is not ', '', ['empty', 'nil']],
    ['Status not ', '', ['in [', 'contains', 'starts with', 'ends with', 'like', 'matches', 'in']],
    ['Status == ', '', ['"running"', '"dead"']],
    ['Meta contains ', '', ['"owner"', '"cost.center"', '"a\\x22b"']],
    ['Status == "', '"', ['"running"', '"dead"']],
    ['Status != "de', '"de', ['"dead"']],
    ['Status == run', 'run', ['"running"']],
    ['Status ==', '', ['"running"', '"dead"']],
    ['Datacenters contains ', '', ['"dc1"', '"dc2"']],
    ['Datacenters not contains "dc2', '"dc2', ['"dc2"']],
    ['Priority == ', '', ['50']],
    ['Meta.owner == ', '', ['"me"', '"you"']],
    ['Meta["cost.center"] == ', '', ['42']],
    ['Status matches ', '', []],
    ['"dc1" in ', '', names],
    ['"dc1" in Data', 'Data', ['Datacenters']],
    ['"dc1" ', '', ['in', 'not in']],
    ['Status == "dead" ', '', ['and', 'or']],
    ['Status == "dead" a', 'a', ['and']],
    ['Status == "dead" and ', '', operand],
    ['Status == "dead" and Me', 'Me', ['Meta']],
    ['Status == "a and Sta', '"a and Sta', []],
    ['Meta.', 'Meta.', ['Meta.owner', 'Meta["cost.center"]', 'Meta["a\\x22b"]']],
    ['Meta.ow', 'Meta.ow', ['Meta.owner']],
    ['Meta["', 'Meta["', ['Meta["owner"]', 'Meta["cost.center"]', 'Meta["a\\x22b"]']],
    ['Meta["co', 'Meta["co', ['Meta["cost.center"]']],
    ['Status.', 'Status.', []],
    ['any TaskGroups as g { ', '', ['g', ...operand]],
    ['any TaskGroups as g { g.', 'g.', ['g.Name', 'g.Tasks']],
    ['any TaskGroups as g { g.Name == ', '', ['"web"', '"db"']],
    ['any TaskGroups as i, g { g.N', 'g.N', ['g.Name']],
    ['any TaskGroups as g { any g.Tasks as s { s.', 's.', ['s.Driver']],
    ['any TaskGroups as g { g.Name == "}" and g.N', 'g.N', ['g.Name']],
    ['any TaskGroups as g { g.Name == x } and g.', 'g.', []],
    ['any TaskGroups ', '', ['as']],
    ['Status = ', '', []],
    ['))) ', '', []],
  ])('%s|', (line, fragment, candidates) => {
    expect(completeLine(line, catalog)).toEqual({ fragment, candidates });
  });

  it('never fails', () => {
    const pieces = [
      'Status',
      ' ',
      '"',
      '`',
      '[',
      '.',
      '{',
      '}',
      '(',
      'any x as y {',
      '==',
      '\\',
      'in',
      'é',
      '\u{1f600}',
    ];
    for (const a of pieces) {
      for (const b of pieces) {
        for (const c of pieces) expect(completeLine(a + b + c, catalog).fragment).toBeTypeOf('string');
      }
    }
  });
});

describe('a catalog with a schema', () => {
  const schema = defineSchema({
    ID: t.string,
    Owner: t.renamed('owner_name', t.string),
    SecretID: t.hidden(t.string),
    Meta: t.map(t.string),
    Groups: t.list(t.struct({ Name: t.string, Count: t.nullable(t.int) })),
  });
  const known = createFieldCatalog(
    [{ ID: 'a', Owner: 'me', SecretID: 's', Extra: 1, Meta: { k: 'v' }, Groups: [{ Name: 'g', Count: 1 }] }],
    schema,
  );

  it.each<[string, string[]]>([
    ['', ['ID', 'owner_name', 'Meta', 'Groups', 'not', 'any', 'all', 'len(']],
    ['Sec', []],
    ['Ext', []],
    ['owner_name == ', ['"me"', '@ID']],
    ['SecretID == ', []],
    ['Meta.', ['Meta.k']],
    ['any Groups as g { g.', ['g.Name', 'g.Count']],
  ])('%s|', (line, candidates) => {
    expect(completeLine(line, known, schema).candidates).toEqual(candidates);
  });

  it('knows the declared kinds', () => {
    expect(known.children([])).toEqual([
      { name: 'ID', kind: 'string' },
      { name: 'owner_name', kind: 'string' },
      { name: 'Meta', kind: 'map' },
      { name: 'Groups', kind: 'list' },
    ]);
  });
});

describe('a catalog of rows alone', () => {
  it('names the kinds that were met', () => {
    const mixed = createFieldCatalog(
      [{ A: 1 }, { A: 2n }, { A: null }, { A: [1] }, { A: { b: true } }, { B: true }],
      null,
    );
    expect(mixed.children([])).toEqual([
      { name: 'A', kind: 'number | null | list | map' },
      { name: 'B', kind: 'bool' },
    ]);
  });

  it('sees own properties only', () => {
    const row = JSON.parse('{"__proto__":{"x":1},"constructor":"c"}') as object;
    const odd = createFieldCatalog([row], null);
    expect(odd.children([]).map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
    expect(odd.children(['toString'])).toEqual([]);
    expect(odd.values(['hasOwnProperty'])).toEqual([]);
  });
});
