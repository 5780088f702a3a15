import { describe, expect, it } from 'vitest';
import { complete, type CompleteOptions, type DataPath } from '../../src/entries/editor.js';
import { defineSchema, t } from '../../src/index.js';

const group = t.struct({ Name: t.string, Count: t.int, Tasks: t.list(t.struct({ Driver: t.string })) });
const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Stop: t.bool,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Groups: t.list(group),
  Periodic: t.nullable(t.struct({ Enabled: t.bool, Spec: t.string })),
  Region: t.renamed('cluster.region', t.string),
  SecretID: t.hidden(t.string),
});

const known: Readonly<Record<string, readonly string[]>> = {
  Status: ['running', 'dead', 'say "hi"', '/srv'],
  Priority: ['50', '100'],
  Datacenters: ['dc1', 'dc2'],
  Meta: ['owner', 'cost.center', 'a"b', '5', '/x'],
  'Meta.owner': ['me', 'you'],
  'Meta.cost.center': ['42'],
  'Groups.*.Name': ['web', 'db'],
};
const values = (path: DataPath): readonly string[] => known[path.map((part) => part ?? '*').join('.')] ?? [];

/** The text with `|` at the cursor; what is replaced and by what. */
function at(marked: string, options: CompleteOptions = { schema, values }): [string, string[]] {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const { from, to, items } = complete(text, offset, options);
  return [text.slice(from, to), items.map(({ insert }) => insert)];
}

const fields = ['ID', 'Status', 'Priority', 'Stop', 'Datacenters', 'Meta', 'Groups', 'Periodic'];
const keyed = '["cluster.region"]';
const words = ['not', 'any', 'all', 'len('];
const operand = [...fields, keyed, ...words];
const orderings = ['<', '<=', '>', '>='];
const numberOperators = ['==', '!=', ...orderings, 'in [', 'not in ['];
const textOperators = [
  ...numberOperators,
  'contains',
  'not contains',
  'starts with',
  'not starts with',
  'ends with',
  'not ends with',
  'like',
  'not like',
  'matches',
  'not matches',
  'is empty',
  'is not empty',
];
const containers = ['Meta.owner', 'Meta["cost.center"]', 'Meta["a\\x22b"]', 'Meta.5', 'Meta["/x"]'];

describe('complete', () => {
  it('offers the keys that the schema names, and then those that are found', () => {
    const labels = defineSchema({ Labels: t.map(t.string, { keys: ['os', 'cpu'] }) });
    const options = { schema: labels, keys: () => ['cpu', 'disk'] };
    expect(at('Labels.|', options)[1]).toEqual(['Labels.os', 'Labels.cpu', 'Labels.disk']);
    expect(at('Labels.c|', { schema: labels })[1]).toEqual(['Labels.cpu']);
  });

  // text with the cursor, what is replaced, by what
  it.each<[string, string, string[]]>([
    ['|', '', operand],
    ['(|', '', operand],
    ['not |', '', [...fields, ...words]],
    ['not not |', '', [...fields, ...words]],
    ['Sta|', 'Sta', ['Status']],
    ['sta|', 'sta', ['Status']],
    ['S|tatus == 1', 'Status', ['Status', 'Stop']],
    ['|Status == 1', 'Status', operand],
    ['Zzz|', 'Zzz', []],
    ['n|', 'n', ['not']],
    ['a|', 'a', ['any', 'all']],
    ['Status |', '', textOperators],
    ['Priority |', '', numberOperators],
    ['Datacenters |', '', ['contains', 'not contains', 'is empty', 'is not empty', 'is nil', 'is not nil']],
    ['Meta |', '', ['contains', 'not contains', 'is empty', 'is not empty', 'is nil', 'is not nil']],
    ['Groups |', '', ['is empty', 'is not empty', 'is nil', 'is not nil']],
    ['Periodic |', '', ['is nil', 'is not nil']],
    ['Meta["k"] |', '', textOperators],
    ['dc1 |', '', ['in', 'not in']],
    ['Status =|', '=', ['==']],
    ['Status !|', '!', ['!=']],
    ['Status c|', 'c', ['contains']],
    ['Status is |', '', ['empty', 'not empty']],
    ['Status is not |', '', ['empty']],
    ['Periodic is n|', 'n', ['nil', 'not nil']],
    ['Status not |', '', ['in [', 'contains', 'starts with', 'ends with', 'like', 'matches']],
    ['Status == |', '', ['"running"', '"dead"', '"say \\x22hi\\x22"', '`/srv`', '@ID', `@${keyed}`]],
    ['Status ==|', '', ['"running"', '"dead"', '"say \\x22hi\\x22"', '`/srv`', '@ID', `@${keyed}`]],
    ['Status == "|', '"', ['"running"', '"dead"', '"say \\x22hi\\x22"', '`/srv`']],
    ['Status != "de|', '"de', ['"dead"']],
    ['Status != "de|" and ID == "x"', '"de"', ['"dead"']],
    ['Status != "de| and ID == "x"', '"de', ['"dead"']],
    ['Status == run|', 'run', ['"running"']],
    ['Status == RUN|', 'RUN', ['"running"']],
    ['Priority == |', '', ['50', '100']],
    ['Priority == 5|', '5', ['50']],
    ['Priority == "5|', '"5', ['"50"']],
    ['Stop == |', '', ['"true"', '"false"']],
    ['Datacenters contains |', '', ['"dc1"', '"dc2"', '@ID', '@Status', `@${keyed}`]],
    ['Meta contains "o|', '"o', ['"owner"']],
    ['Meta.owner == |', '', ['"me"', '"you"', '@ID', '@Status', `@${keyed}`]],
    ['Meta["cost.center"] == |', '', ['42', '@ID', '@Status', `@${keyed}`]],
    ['Status matches |', '', []],
    ['"dc1" in |', '', fields.filter((name) => name !== 'Priority' && name !== 'Stop')],
    ['"dc1" in Data|', 'Data', ['Datacenters']],
    ['"dc1" |', '', ['in', 'not in']],
    ['"dc1" not |', '', ['in']],
    ['Status == "dead" |', '', ['and', 'or']],
    ['Status == "dead" a|', 'a', ['and']],
    ['(Status == "dead" |', '', ['and', 'or']],
    ['Status == "dead"|', '', []],
    ['Status == "dead" and |', '', operand],
    ['Status == "dead" and Me|', 'Me', ['Meta']],
    ['Status is empty |', '', ['and', 'or']],
    ['Status == "a and Sta|', '"a and Sta', []],
    ['Meta.|', 'Meta.', containers],
    ['Meta.ow|', 'Meta.ow', ['Meta.owner']],
    ['Meta.co|', 'Meta.co', ['Meta["cost.center"]']],
    ['Meta[|', 'Meta[', containers.map((text) => text.replace(/\.(\w+)$/, '["$1"]'))],
    ['Meta["co|', 'Meta["co', ['Meta["cost.center"]']],
    ['Meta["co|"] == 1', 'Meta["co"]', ['Meta["cost.center"]']],
    ['Periodic.|', 'Periodic.', ['Periodic.Enabled', 'Periodic.Spec']],
    ['Periodic.Enabled.|', 'Periodic.Enabled.', []],
    ['Groups.0.|', 'Groups.0.', ['Groups.0.Name', 'Groups.0.Count', 'Groups.0.Tasks']],
    ['Status.|', 'Status.', []],
    ['"|', '"', ['"/cluster.region"']],
    ['"/clu|', '"/clu', ['"/cluster.region"']],
    ['[|', '[', [...fields.map((name) => `["${name}"]`), keyed]],
    ['["cl|', '["cl', [keyed]],
    ['["cl|"] == 1', '["cl"]', [keyed]],
    ['(Status == x and ["cl|', '["cl', [keyed]],
    ['Status == @["cl|', '["cl', [keyed]],
    ['clu|', 'clu', [keyed]],
    ['["Periodic"].|', '["Periodic"].', ['["Periodic"].Enabled', '["Periodic"].Spec']],
    ['"x" in clu|', 'clu', []],
    ['Status in ["cl|', '"cl', []],
    ['any |', '', ['Datacenters', 'Meta', 'Groups', 'Periodic']],
    ['any Groups |', '', ['as']],
    ['any Groups as g { |', '', ['g', ...operand]],
    ['any Groups as g { g.|', 'g.', ['g.Name', 'g.Count', 'g.Tasks']],
    ['any Groups as g { g.Count |', '', numberOperators],
    ['any Groups as g { g.Name == |', '', ['"web"', '"db"', '@ID', '@Status', `@${keyed}`]],
    ['any Groups as i, g { g.N|', 'g.N', ['g.Name']],
    ['any Groups as Meta { Met|', 'Met', ['Meta']],
    ['any Groups as g { any g.Tasks as s { s.|', 's.', ['s.Driver']],
    ['any Groups as g { g.Name == "}" and g.N|', 'g.N', ['g.Name']],
    ['any Groups as g { g.Name == x } and g.|', 'g.', []],
    [
      'all Meta as k { k == |',
      '',
      ['"owner"', '"cost.center"', '"a\\x22b"', '5', '`/x`', '@ID', '@Status', `@${keyed}`],
    ],
    ['all Meta as k { k.|', 'k.', []],
    ['Status in [|', '', ['"running"', '"dead"', '"say \\x22hi\\x22"', '`/srv`']],
    ['Status in ["dead", |', '', ['"running"', '"say \\x22hi\\x22"', '`/srv`']],
    ['Status in ["dead", "ru|', '"ru', ['"running"']],
    ['Status not in [ru|', 'ru', ['"running"']],
    ['Priority in [50, |]', '', ['100']],
    ['Priority > |', '', ['50', '100']],
    ['Status starts with |', '', ['"running"', '"dead"', '"say \\x22hi\\x22"', '`/srv`', '@ID', `@${keyed}`]],
    ['Status st|', 'st', ['starts with']],
    ['Status not li|', 'li', ['like']],
    ['le|', 'le', ['len(']],
    ['len(|', '', [...fields.filter((name) => name !== 'Priority' && name !== 'Stop'), keyed]],
    ['len(Data|', 'Data', ['Datacenters']],
    ['len(Datacenters) |', '', numberOperators],
    ['len(Datacenters) > |', '', ['@Priority']],
    ['Status == @|', '', ['ID', 'Status', 'Meta', 'Periodic', keyed]],
    ['Priority < @Pr|', 'Pr', ['Priority']],
    ['any Groups as g { g.Count < @g.|', 'g.', ['g.Count']],
    ['len(Meta) > @Pri|', 'Pri', ['Priority']],
    ['Status = |', '', []],
    ['))) |', '', []],
    ['Status == "x" $ |', '', []],
    ['Secret|', 'Secret', []],
    ['SecretID == |', '', []],
    ['SecretID |', '', ['in', 'not in']],
  ])('%s', (marked, replaced, inserts) => {
    expect(at(marked)).toEqual([replaced, inserts]);
  });

  it('says what kind of thing it offers, and what it is', () => {
    const { items } = complete('any Groups as g { ', 18, { schema });
    expect(items.slice(0, 2)).toEqual([
      { label: 'g', kind: 'binding', insert: 'g', detail: 'element, struct' },
      { label: 'ID', kind: 'field', insert: 'ID', detail: 'string' },
    ]);
    expect(complete('Meta ', 5, { schema }).items[0]).toEqual({
      label: 'contains',
      kind: 'operator',
      insert: 'contains',
      detail: 'has the value as a key',
    });
  });

  it('without a schema knows the language, and the given names', () => {
    expect(at('|', {})).toEqual(['', ['not', 'any', 'all', 'len(']]);
    expect(at('Status |', {})[1]).toEqual([...textOperators, 'is nil', 'is not nil', 'in', 'not in']);
    const keys = (path: readonly (string | null)[]): string[] =>
      path.length === 0 ? ['Name', 'not'] : path[0] === 'Name' ? ['First'] : [];
    expect(at('N|', { keys })).toEqual(['N', ['Name']]);
    expect(at('Name.|', { keys })).toEqual(['Name.', ['Name.First']]);
    // A field of this name makes both readings likely.
    expect(at('not |', { keys })[1]).toEqual(expect.arrayContaining(['Name', '==', 'is nil']));
  });

  it('offers the values that the schema knows first', () => {
    const kinds = defineSchema({ Type: t.oneOf('service', 'batch') });
    const seen = (): string[] => ['batch', 'sysbatch'];
    expect(at('Type == |', { schema: kinds })[1]).toEqual(['"service"', '"batch"']);
    expect(at('Type == |', { schema: kinds, values: seen })[1]).toEqual([
      '"service"',
      '"batch"',
      '"sysbatch"',
    ]);
  });

  it('shows how the values of a kind are written', () => {
    const kinds = defineSchema({
      At: t.time('s'),
      For: t.duration,
      Size: t.bytes('MiB'),
      Address: t.ip,
      Version: t.version,
    });
    const seen = (path: DataPath): readonly string[] => (path[0] === 'Address' ? ['10.0.0.1'] : []);
    const options = { schema: kinds, values: seen };
    expect(at('At > |', options)[1]).toEqual(['now', 'now - 1h', 'now - 7d']);
    expect(at('At > n|', options)).toEqual(['n', ['now', 'now - 1h', 'now - 7d']]);
    expect(at('At == |', options)[1]).toEqual([]);
    expect(at('For >= |', options)[1]).toEqual(['30s', '5m', '1h30m', '7d']);
    expect(at('For >= 1h|', options)).toEqual(['1h', ['1h30m']]);
    expect(at('Size in [|', options)[1]).toEqual(['512MiB', '1.5GiB', '2GB']);
    expect(at('Address in [|', options)[1]).toEqual(['"10.0.0.1"', '10.0.0.0/8']);
    expect(at('Address == |', options)[1]).toEqual(['"10.0.0.1"']);
    expect(at('Version < |', options)[1]).toEqual(['1.0.0']);
    expect(complete('For > ', 6, options).items[0]).toEqual({
      label: '30s',
      kind: 'value',
      insert: '30s',
      detail: 'a duration such as 1h30m or 7d',
    });
  });

  it('offers nothing of level 1 where only level 0 is read', () => {
    for (const options of [{ level: 0 }, { dialect: 'go-bexpr' }] as const) {
      expect(at('Priority |', { schema, ...options })[1]).toEqual(['==', '!=']);
      expect(at('le|', { schema, ...options })[1]).toEqual([]);
      expect(at('Status in [|', { schema, values, ...options })[1]).toEqual([]);
    }
  });

  it('keeps to the dialect', () => {
    const options = { schema, dialect: 'go-bexpr' } as const;
    expect(at('Status == x and a|', options)).toEqual(['a', []]);
    expect(at('Status == x or a|', options)).toEqual(['a', ['any', 'all']]);
    expect(at('(Status == x)a|', options)).toEqual(['a', []]);
  });

  it('takes offsets outside of the text for its ends', () => {
    expect(complete('Sta', 99, { schema }).from).toBe(0);
    expect(complete('Sta', -1, { schema }).to).toBe(3);
  });

  it.each<[string, () => unknown]>([
    ['A filter must be a string, got 1.', () => complete(1 as unknown as string, 0)],
    ['An offset must be an integer, got 0.5.', () => complete('', 0.5)],
    ['An offset must be an integer, got NaN.', () => complete('', NaN)],
    [
      "complete: dialect must be 'standard' or 'go-bexpr', got \"x\"",
      () => complete('', 0, { dialect: 'x' as 'standard' }),
    ],
  ])('refuses: %s', (message, call) => {
    expect(call).toThrow(new TypeError(message));
  });

  it('offers no more than anybody reads', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `k${index}`);
    expect(complete('', 0, { keys: () => names }).items).toHaveLength(500);
  });
});
