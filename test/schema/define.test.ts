import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { FilterCheckError } from '../../src/language/diagnostics/errors.js';
import { compileFilter } from '../../src/filter/filter.js';
import { parseSchema } from '../../src/language/schema/parse-schema.js';
import { describeType } from '../../src/language/schema/type.js';
import { valueKindOf } from '../../src/language/schema/value-kind.js';

const job = defineSchema({
  ID: t.string,
  Priority: t.int,
  Stable: t.bool,
  Load: t.float64,
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string, Count: t.uint })),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  Triple: t.array(t.float32, 3),
  Since: t.nullable(t.time),
  Config: t.any,
  Secret: t.hidden(t.string),
  inner_name: t.renamed('Name', t.string),
});

describe('defineSchema', () => {
  it.each<[unknown, string]>([
    [{ key: ['a'] }, 't.map: unknown option "key". Did you mean keys?'],
    [null, 't.map: options must be an object such as { keys }, got null'],
    [['a'], 't.map: options must be an object such as { keys }, got an array'],
    [{ keys: 'a' }, 't.map: keys must be a list of texts'],
    [{ keys: [5] }, 't.map: keys must be a list of texts'],
    [{ keys: new Array(2) }, 't.map: keys must be a list of texts'],
  ])('refuses the options of a map %o', (options, said) => {
    expect(() => t.map(t.string, options as { keys: string[] })).toThrow(new TypeError(said));
  });

  it('names keys of maps, which a schema that is written down keeps', () => {
    const keys = ['os.name', 'cpu.arch'];
    const schema = defineSchema({ Labels: t.nullable(t.map(t.string, { keys })), Meta: t.map(t.string) });
    keys.pop();
    for (const each of [schema, parseSchema(JSON.parse(JSON.stringify(schema)))]) {
      expect(each.root.fields.get('Labels')?.type).toMatchObject({
        keys: ['os.name', 'cpu.arch'],
        nullDepth: 1,
      });
      expect(each.root.fields.get('Meta')?.type).not.toHaveProperty('keys');
    }
  });

  it('refuses keys that are no texts', () => {
    const wrong = [5] as unknown as string[];
    expect(() => t.map(t.string, { keys: wrong })).toThrow('t.map: keys must be a list of texts');
    expect(() => t.map(t.string, { keys: 'os' as unknown as string[] })).toThrow(
      't.map: keys must be a list of texts',
    );
    const json = {
      root: 'Row',
      structs: { Row: { fields: { Labels: { kind: 'map', of: { kind: 'string' }, keys: 'os' } } } },
    };
    expect(() => parseSchema(json)).toThrow('Labels.keys: expected a list of texts');
  });

  it('carries notes on types, which a schema that is written down keeps', () => {
    const size = t.annotated(t.annotated(t.bytes('MiB'), { description: 'all of it', rendered: true }), {
      rendered: false,
    });
    const since = t.annotated(t.time, { zone: 'UTC' });
    const inner = t.annotated(t.struct({ Size: size }), { of: 'disks' });
    const schema = defineSchema({
      Disk: t.nullable(inner),
      Disks: t.list(inner),
      Size: t.hidden(size),
      Since: since,
    });
    for (const each of [schema, parseSchema(JSON.parse(JSON.stringify(schema)))]) {
      const notesOf = (field: string): unknown => each.root.properties.get(field)?.type.annotations;
      expect(notesOf('Disk')).toEqual({ of: 'disks' });
      expect(each.root.fields.get('Disk')?.type).toMatchObject({ kind: 'struct', nullDepth: 1 });
      expect(each.root.fields.get('Disks')?.type).toMatchObject({ of: { annotations: { of: 'disks' } } });
      expect(notesOf('Size')).toEqual({ description: 'all of it', rendered: false });
      expect(notesOf('Since')).toEqual({ zone: 'UTC' });
      expect(notesOf('Disks')).toBeUndefined();
    }
    expect(size).toEqual({ ...t.bytes('MiB'), annotations: { description: 'all of it', rendered: false } });
    expect(Object.isFrozen(size) && Object.isFrozen(size.annotations)).toBe(true);
  });

  it('ignores notes: a filter returns the same without them', () => {
    const noted = defineSchema({ Size: t.annotated(t.bytes('MiB'), { kind: 'string' }) });
    expect(compileFilter('Size > 1GiB', { schema: noted }).test({ Size: 1025 })).toBe(true);
    expect(() => compileFilter('Size matches "1"', { schema: noted })).toThrow(FilterCheckError);
  });

  it('refuses notes that are no object', () => {
    expect(() => t.annotated(t.int, ['x'] as never)).toThrow('t.annotated: annotations must be an object');
    expect(() => t.annotated(5 as never, {})).toThrow('t.annotated: expected a type such as t.string');
    const json = { root: 'Row', structs: { Row: { fields: { A: { kind: 'int', annotations: 5 } } } } };
    expect(() => parseSchema(json)).toThrow('structs.Row.fields.A.annotations: expected an object');
  });

  it('keeps hidden fields out of sight and renames the others', () => {
    expect([...job.root.fields.keys()]).toEqual([
      ...[
        'ID',
        'Priority',
        'Stable',
        'Load',
        'Meta',
        'Groups',
        'Periodic',
        'Triple',
        'Since',
        'Config',
        'Name',
      ],
    ]);
    expect(job.root.fields.get('Name')?.property).toBe('inner_name');
    expect(job.root.properties.get('Secret')?.hidden).toBe(true);
  });

  it('survives the way through JSON', () => {
    const json: unknown = JSON.parse(JSON.stringify(job));
    const read = parseSchema(json);
    expect(read.toJSON()).toEqual(job.toJSON());
    expect(read.root.fields.get('Groups')?.type).toMatchObject({
      kind: 'list',
      of: { kind: 'struct', name: 'Groups' },
    });
  });

  it.each([
    [
      'a string',
      () => defineSchema({ ID: 'string' as never }),
      'field ID: expected a type such as t.string, got string',
    ],
    ['null', () => defineSchema({ ID: null as never }), 'field ID'],
    ['a list of nothing', () => t.list(undefined as never), 't.list'],
    ['a negative length', () => t.array(t.int, -1), 't.array: length'],
    [
      'a name twice',
      () => defineSchema({ a: t.int, b: t.renamed('a', t.int) }),
      'Two fields of a struct are named a',
    ],
  ])('refuses %s', (_, define, message) => {
    expect(define).toThrow(TypeError);
    expect(define).toThrow(message);
  });
});

const kinds = defineSchema({
  Since: t.time,
  Created: t.time('ns'),
  Took: t.nullable(t.duration),
  Timeout: t.duration('ms'),
  Memory: t.bytes('MiB'),
  Peers: t.list(t.ip),
  Bind: t.map(t.nullable(t.ip({ port: true }))),
  Any: t.ip({ port: false }),
  Age: t.int({ safe: true }),
  Born: t.time({ zone: 'UTC' }),
  Count: t.nullable(t.uint({ safe: true })),
  Group: t.struct({ Version: t.version, At: t.array(t.time, 2) }),
});

describe('kinds with instances', () => {
  it('survive the way through JSON', () => {
    const { structs } = kinds.toJSON();
    expect(structs).toEqual({
      Row: {
        fields: {
          Since: { kind: 'time' },
          Created: { kind: 'time', unit: 'ns' },
          Took: { kind: 'duration', nullable: true },
          Timeout: { kind: 'duration', unit: 'ms' },
          Memory: { kind: 'bytes', unit: 'MiB' },
          Peers: { kind: 'list', of: { kind: 'ip' } },
          Bind: { kind: 'map', of: { kind: 'ip', port: true, nullable: true } },
          Any: { kind: 'ip' },
          Age: { kind: 'int', safe: true },
          Born: { kind: 'time', zone: 'UTC' },
          Count: { kind: 'uint', safe: true, nullable: true },
          Group: { kind: 'struct', name: 'Group' },
        },
      },
      Group: {
        fields: { Version: { kind: 'version' }, At: { kind: 'array', of: { kind: 'time' }, len: 2 } },
      },
    });
    const read = parseSchema(JSON.parse(JSON.stringify(kinds)));
    expect(read.toJSON()).toEqual(kinds.toJSON());
    // A type that is also a function is kept as a type alone.
    expect(read.root.fields.get('Since')?.type).toEqual(kinds.root.fields.get('Since')?.type);
    expect([...kinds.root.fields.values()].every(({ type }) => Object.isFrozen(type))).toBe(true);
  });

  it('are, to level 0, what rows hold', () => {
    const kindsOfFields = [...kinds.root.fields.values()].map(({ type }) => valueKindOf(type));
    expect(kindsOfFields).toEqual([
      ...['time', 'int', 'string', 'int', 'int', 'list', 'map', 'string', 'int', 'time', 'uint', 'struct'],
    ]);
    const row = { Since: 'x', Created: 5, Took: '1h', Timeout: 5, Memory: 5n, Peers: ['::1'], Any: '::1' };
    const texts = 'Since contains x and Took matches "^1h$" and Any contains "::" and "::1" in Peers';
    const filter = `${texts} and Created == "0x5" and Timeout != 6 and Memory == 5`;
    expect(compileFilter(filter, { schema: kinds }).test(row)).toBe(true);
    expect(() => compileFilter('Memory contains 5', { schema: kinds })).toThrow(FilterCheckError);
    expect(() => compileFilter('Any.x == 5', { schema: kinds })).toThrow('a string has no parts');
  });

  it('read strings without a zone in UTC if the schema says so', () => {
    const filter = (text: string) => compileFilter(text, { schema: kinds });
    for (const Born of [
      '2026-01-02',
      '2026-01-02T00:00:00',
      '2026-01-02 00:00:00.000',
      '2026-01-02 01:00:00+01:00',
    ]) {
      expect(filter('Born == 2026-01-02').test({ Born })).toBe(true);
      expect(
        filter('Born < "2026-01-02T00:00:00.001Z" and Born > "2026-01-01T23:59:59Z"').test({ Born }),
      ).toBe(true);
      if (!Born.includes('+'))
        expect(() => filter('Since < 2027-01-01').test({ Since: Born })).toThrow('no time in this row');
    }
    for (const Born of ['2026-01', '2026-02-30', '2026-01-02 24:00:00', '02.01.2026', ''])
      expect(() => filter('Born > 1970-01-01').test({ Born })).toThrow('no time in this row');
  });

  it('are described with their notes', () => {
    const described = [...kinds.root.fields.values()].map(({ type }) => describeType(type));
    expect(described).toEqual([
      ...[
        'time',
        'time in ns',
        'nullable duration',
        'duration in ms',
        'bytes in MiB',
        'list',
        'map',
        'ip',
        'safe int',
        'time in UTC',
        'nullable safe uint',
        'struct',
      ],
    ]);
    expect(describeType(t.ip({ port: true }))).toBe('ip with port');
  });

  it.each<[() => unknown, string]>([
    [() => t.time('m' as 's'), 't.time: the unit is one of s, ms, us, ns, not "m"'],
    [() => t.time(undefined as never), 't.time: the unit is one of s, ms, us, ns, not undefined'],
    [() => t.duration('toString' as 's'), 't.duration: the unit is one of s, ms, us, ns, not "toString"'],
    [() => t.bytes('mb' as 'MB'), 't.bytes: the unit is one of B, KiB, MiB, GiB, kB, MB, GB, not "mb"'],
    [() => t.ip({ ports: true } as never), 't.ip: unknown option "ports". Did you mean port?'],
    [() => t.ip({ port: 80 as never }), 't.ip: port must be true or false, got 80'],
    [() => t.time({ zone: 'CET' as 'UTC' }), 't.time: zone must be \'UTC\', got "CET"'],
    [() => t.int({ safe: 1 as never }), 't.int: safe must be true or false, got 1'],
    [() => t.uint({ save: true } as never), 't.uint: unknown option "save". Did you mean safe?'],
    [
      () => t.list(t.bytes as never),
      't.list: expected a type such as t.string, got function: write t.bytes("B")',
    ],
    [() => t.list((() => t.int) as never), 't.list: expected a type such as t.string, got function'],
  ])('refuse %s', (define, message) => {
    expect(define).toThrow(new TypeError(message));
  });
});

describe('parseSchema', () => {
  it('reads structs that hold themselves', () => {
    const tree = parseSchema({
      root: 'Node',
      structs: {
        Node: {
          fields: { Name: { kind: 'string' }, Next: { kind: 'struct', name: 'Node', nullable: true } },
        },
      },
    });
    const next = tree.root.fields.get('Next')?.type;
    expect(next).toMatchObject({ kind: 'struct', name: 'Node', nullDepth: 1 });
    expect(next?.kind === 'struct' && next.fields.get('Next')?.type.nullDepth).toBe(1);
    expect(parseSchema(tree.toJSON()).toJSON()).toEqual(tree.toJSON());
  });

  it.each<[unknown, string]>([
    [null, 'schema: expected an object'],
    [{ structs: {} }, 'root: expected the name of a struct'],
    [{ root: 'A', structs: {} }, 'root: there is no struct "A"'],
    [{ root: 'toString', structs: {} }, 'root: there is no struct "toString"'],
    [{ root: 'A', structs: { A: {} } }, 'structs.A.fields: expected an object'],
    [one({ kind: 'txt' }), 'structs.A.fields.F: unknown kind "txt"'],
    [one({ kind: 'time', unit: 'm' }), 'structs.A.fields.F.unit: expected one of s, ms, us, ns'],
    [one({ kind: 'duration', unit: 5 }), 'structs.A.fields.F.unit: expected one of s, ms, us, ns'],
    [one({ kind: 'bytes' }), 'structs.A.fields.F.unit: expected one of B, KiB, MiB, GiB, kB, MB, GB'],
    [one({ kind: 'ip', port: 80 }), 'structs.A.fields.F.port: expected true or false'],
    [
      one({ kind: 'time', zone: 'CET' }),
      'structs.A.fields.F.zone: expected "UTC", for a time without a unit',
    ],
    [one({ kind: 'time', unit: 's', zone: 'UTC' }), 'structs.A.fields.F.zone: expected "UTC"'],
    [one({ kind: 'int', safe: 'x' }), 'structs.A.fields.F.safe: expected true or false'],
    [one({ kind: 'list' }), 'structs.A.fields.F.of: expected an object'],
    [one({ kind: 'map', of: { kind: 7 } }), 'structs.A.fields.F.of: unknown kind 7'],
    [one({ kind: 'struct' }), 'structs.A.fields.F.name'],
    [one({ kind: 'struct', name: 'B' }), 'structs.A.fields.F: there is no struct "B"'],
    [one({ kind: 'array', of: { kind: 'int' }, len: 'x' }), 'structs.A.fields.F.len'],
    [one({ kind: 'string', pointers: 3 }), 'structs.A.fields.F.pointers'],
    [one({ kind: 'string', selectorName: 5 }), 'structs.A.fields.F.selectorName'],
  ])('refuses %j', (json, message) => {
    expect(() => parseSchema(json)).toThrow(TypeError);
    expect(() => parseSchema(json)).toThrow(message);
  });

  it('refuses types nested beyond all sense', () => {
    let type: object = { kind: 'string' };
    for (let depth = 0; depth < 100_000; depth += 1) type = { kind: 'list', of: type };
    expect(() => parseSchema(one(type))).toThrow('nested 64 deep');
  });
});

function one(field: object): unknown {
  return { root: 'A', structs: { A: { fields: { F: field } } } };
}
