import { describe, expect, it } from 'vitest';
import {
  anything,
  block,
  bool,
  choice,
  ConfigError,
  converted,
  decodeConfig,
  duration,
  int,
  labelled,
  list,
  located,
  map,
  parseConfig,
  repeated,
  required,
  text,
  type ConfigMistake,
  type Fields,
} from '../src/index.js';

const fields = {
  region: text(),
  debug: bool(),
  level: choice(['debug', 'info', 'warn']),
  kind: choice(['Tcp', 'unix'], { ignoreCase: true }),
  wait: duration({ min: 0n }),
  lease: duration({ seconds: true, max: 3_600_000_000_000n }),
  workers: int({ min: 0, max: 64 }),
  count: int(),
  names: list(text()),
  servers: list(text(), { single: true }),
  meta: map(text({ scalars: true })),
  ports: block({ http: int(), rpc: int() }),
  tls: block({ cert_file: required(text()), key_file: required(text()) }),
  plugin: labelled(block({ enabled: bool() })),
  listener: labelled(block({ address: text() }), { repeat: true }),
  header: repeated(map(list(text()))),
  size: converted(text(), (value, refuse) =>
    value.endsWith('k') ? Number(value.slice(0, -1)) * 1_024 : refuse('expected a size such as "4k"'),
  ),
  location: located(text()),
  extra: anything(),
} satisfies Fields;

function decode(source: string): unknown {
  return decodeConfig(parseConfig(source, { name: 'f' }), fields);
}

function mistakesOf(source: string): readonly string[] {
  try {
    decode(source);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

describe('decoding', () => {
  it.each<[source: string, values: object]>([
    ['', {}],
    ['region = "west"', { region: 'west' }],
    ['debug = true', { debug: true }],
    ['debug = "true"', { debug: true }],
    ['debug = 1', { debug: true }],
    ['debug = "F"', { debug: false }],
    ['level = "warn"', { level: 'warn' }],
    ['kind = "TCP"', { kind: 'Tcp' }],
    ['wait = "1m30s"', { wait: 90_000_000_000n }],
    ['lease = "1h"', { lease: 3_600_000_000_000n }],
    ['lease = 60', { lease: 60_000_000_000n }],
    ['lease = "60"', { lease: 60_000_000_000n }],
    ['workers = 64 count = "-7"', { workers: 64, count: -7 }],
    ['names = ["a", "b"]', { names: ['a', 'b'] }],
    ['servers = "a"', { servers: ['a'] }],
    [
      'meta { rack = "r1" size = 1.50 ok = true }',
      { meta: new Map(Object.entries({ rack: 'r1', size: '1.50', ok: 'true' })) },
    ],
    ['ports { http = 1 }', { ports: { http: 1 } }],
    ['ports = { http = 1 }', { ports: { http: 1 } }],
    ['{"ports": [{"http": 1}]}', { ports: { http: 1 } }],
    ['{"ports": null, "region": null}', {}],
    ['plugin "raw_exec" { enabled = true }', { plugin: [{ label: 'raw_exec', value: { enabled: true } }] }],
    [
      '{"plugin": [{"raw_exec": [{"enabled": true}]}]}',
      { plugin: [{ label: 'raw_exec', value: { enabled: true } }] },
    ],
    [
      'listener "tcp" { address = "a" }\nlistener "tcp" { address = "b" }',
      {
        listener: [
          { label: 'tcp', value: { address: 'a' } },
          { label: 'tcp', value: { address: 'b' } },
        ],
      },
    ],
    [
      'header { "X" = ["1"] } header { "X" = ["2"] }',
      { header: [new Map([['X', ['1']]]), new Map([['X', ['2']]])] },
    ],
    ['size = "4k"', { size: 4_096 }],
    ['\nplace = "x"', { location: { value: 'x', at: { source: 'f', line: 2, column: 9 } } }],
    ['extra = [1]', { extra: { kind: 'list' } }],
  ])('%s', (source, values) => expect(decode(source)).toMatchObject(values));

  it('reports every mistake, in the order of the text', () => {
    const source = `regoin = "west"
debug = "yes"
wait = "5 minutes"
workers = 65
names = "a"
ports { http = "x" grpc = 1 }
tls { cert_file = "c" }
plugin "raw_exec" {}
plugin "raw_exec" {}
listener { address = "x" }
region = 5
region = "again"
meta { a = [] b = {} }
level = "wran"
size = "4m"
header { X = "1" "Y z" = [1, {}] }
ports { http = 2 }
lease = "2h"
wait = "-5s"
count = 9223372036854775808`;
    expect(mistakesOf(source)).toEqual([
      'f:1:1: regoin: there is no such setting: did you mean region?',
      'f:2:9: debug: expected true or false, found "yes"',
      'f:4:11: workers: expected a whole number from 0 to 64, found 65',
      'f:5:9: names: expected a list, found a string',
      'f:7:5: tls.key_file: is missing',
      'f:9:19: plugin "raw_exec": is already there on line 8',
      'f:10:22: listener "address": expected a block (is the label missing?), found a string',
      'f:12:1: region: is already set on line 11',
      'f:13:12: meta.a: expected a string, found a list',
      'f:13:19: meta.b: expected a string, found a block',
      'f:14:9: level: expected one of "debug", "info", "warn", found "wran": did you mean "warn"?',
      'f:15:8: size: expected a size such as "4k"',
      'f:16:14: header.X: expected a list, found a string',
      'f:16:27: header."Y z"[0]: expected a string, found a number',
      'f:16:30: header."Y z"[1]: expected a string, found a block',
      'f:17:7: ports: is already there on line 6',
      'f:18:9: lease: expected a duration such as "1m30s" of at most 1h, found "2h"',
      'f:19:1: wait: is already set on line 3',
      'f:20:9: count: expected a whole number, found 9223372036854775808',
    ]);
  });

  it('warns of unknown keys where the caller wants to', () => {
    const warnings: ConfigMistake[] = [];
    const root = parseConfig('regoin = 1\nports { htpp = 1 }', { name: 'f' });
    decodeConfig(root, fields, { unknown: 'warning', onWarning: (warning) => void warnings.push(warning) });
    expect(warnings.map(({ path, problem }) => [path, problem])).toEqual([
      ['regoin', 'there is no such setting: did you mean region?'],
      ['ports.htpp', 'there is no such setting: did you mean http?'],
    ]);
  });

  it('takes null for not set, but not in a list', () => {
    expect(decode('{"region": null, "names": ["a"]}')).toEqual({ names: ['a'] });
    expect(mistakesOf('{"names": ["a", null]}')).toEqual(['f:1:17: names[1]: null cannot be in a list']);
    expect(mistakesOf('{"ports": []}')).toEqual(['f:1:11: ports: expected a block, found an empty list']);
  });

  it('looks into every block of a label', () => {
    expect(mistakesOf('plugin "a" { enabled = [] } plugin "b" { enable = 1 }')).toEqual([
      'f:1:24: plugin "a".enabled: expected true or false, found a list',
      'f:1:42: plugin "b".enable: there is no such setting: did you mean enabled?',
    ]);
  });

  it('never shows a value that should have been a string', () => {
    expect(mistakesOf('region = 271828')).toEqual(['f:1:10: region: expected a string, found a number']);
  });

  it('takes inherited names for what they are', () => {
    expect(mistakesOf('constructor = 1')).toEqual(['f:1:1: constructor: there is no such setting']);
    expect(decode('meta { __proto__ = "x" }')).toMatchObject({ meta: new Map([['__proto__', 'x']]) });
  });

  it('ends a message of very many mistakes', () => {
    const source = Array.from({ length: 150 }, (_, at) => `unknown_${at} = 1`).join('\n');
    const lines = mistakesOf(source);
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe('and 50 more');
  });
});

it('blocks with a label are read by the reader that the label chooses', () => {
  const shape = labelled((label) => block(label === 'circle' ? { radius: int() } : { side: text() }));
  const read = (source: string): unknown => decodeConfig(parseConfig(source, { name: 'f' }), { shape });
  expect(read('shape "circle" { radius = 1 }  shape "square" { side = "a" }')).toMatchObject({
    shape: [
      { label: 'circle', value: { radius: 1 } },
      { label: 'square', value: { side: 'a' } },
    ],
  });
  expect(() => read('shape "square" { radius = 1 }')).toThrow(
    'shape "square".radius: there is no such setting',
  );
});
