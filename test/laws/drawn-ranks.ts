import { t, type FieldDefinition } from '../../src/index.js';

/** A kind of field, and values of it in ascending order: those of a group are equal. Null and the like are in no group. */
export interface RankedKind {
  readonly type: FieldDefinition;
  readonly groups: readonly (readonly unknown[])[];
  /** Values that the type does not have, which arrays may hold. */
  readonly odd: readonly unknown[];
  /** Whether tables find rows by the field. */
  readonly isIndexed: boolean;
}

const [small, large] = [-9007199254740993n, 9007199254740993n];

export const rankedKinds: Readonly<Record<string, RankedKind>> = {
  string: {
    type: t.string,
    groups: [
      [''],
      ['\0'],
      ['a'],
      ['a\0b'],
      ['ab'],
      ['B'.toLowerCase()],
      ['é'],
      ['\uff01'],
      ['\u{1f600}'],
      ['\u{10ffff}'],
    ],
    odd: [5, true, {}],
    isIndexed: true,
  },
  int: {
    type: t.int,
    groups: [[-(2n ** 63n)], [small], [-20], [-1], [0, -0, 0n], [1, 1n], [7], [large], [2n ** 63n - 1n]],
    odd: [0.5, NaN, 'x', 10n ** 40n, 1e300],
    isIndexed: true,
  },
  uint: { type: t.uint, groups: [[0, -0], [1], [10], [2n ** 64n - 1n]], odd: ['1'], isIndexed: true },
  float: {
    type: t.float64,
    groups: [
      ...[
        [-Infinity],
        [-1e300],
        [-(2 ** 63)],
        [-1.5],
        [-1],
        [-0.5],
        [-5e-324],
        [0, -0],
        [5e-324],
        [0.1],
        [1],
        [1.5],
      ],
      ...[[2 ** 53], [2 ** 53 + 2], [1e21], [1.5e21], [1e300], [Infinity], [NaN]],
    ],
    odd: ['1', [], true],
    isIndexed: true,
  },
  bool: { type: t.bool, groups: [[false], [true]], odd: [0, 'true'], isIndexed: true },
  time: {
    type: t.time,
    groups: [
      ['0001-01-01T00:00:00Z'],
      ['1969-12-31T23:59:59.9999Z'],
      ['2026-11-01T07:59:59.999999999Z'],
      ['2026-11-01T08:00:00Z', '2026-11-01T09:00:00+01:00', '2026-11-01T08:00:00.000Z'],
      ['2026-11-01T08:00:00.000000001Z'],
      ['2026-11-01T08:00:00.001Z'],
      ['9999-12-31T23:59:59Z'],
    ],
    odd: ['yesterday', 5, new Date(NaN)],
    isIndexed: true,
  },
  stamp: {
    type: t.time('ns'),
    groups: [[small], [0], [5], [1645230445788556000n]],
    odd: ['x'],
    isIndexed: true,
  },
  duration: {
    type: t.duration,
    groups: [['-1h'], ['-1ns'], ['0', '0s', '-0s'], ['1ns'], ['60s', '1m'], ['90s', '1m30s'], ['2562047h']],
    odd: ['soon', '', 5],
    isIndexed: true,
  },
  size: {
    type: t.bytes('MiB'),
    groups: [[-1], [0], [64], [512], [large]],
    odd: ['64MiB', 0.5],
    isIndexed: true,
  },
  ip: {
    type: t.ip,
    groups: [
      ['9.9.9.9', '::ffff:9.9.9.9'],
      ['10.0.0.9'],
      ['10.0.0.10'],
      ['255.255.255.255'],
      ['::'],
      ['::1', '0:0::1'],
      ['fe80::1'],
      ['fe80::1%a'],
      ['fe80::1%ab'],
      ['fe80::1%b'],
    ],
    odd: ['10.0.0.256', 'localhost', 7],
    isIndexed: true,
  },
  address: {
    type: t.ip({ port: true }),
    groups: [['10.0.0.9:65535'], ['10.0.0.10'], ['10.0.0.10:1'], ['[::1]:80']],
    odd: ['10.0.0.9:70000'],
    isIndexed: false,
  },
  version: {
    type: t.version,
    groups: [
      ...[
        ['0.0.1'],
        ['1.0.0-1'],
        ['1.0.0-2'],
        ['1.0.0-10'],
        ['1.0.0-10.a'],
        ['1.0.0-9a'],
        ['1.0.0-a'],
        ['1.0.0-a.1'],
      ],
      ...[['1.0.0-a.b'], ['1.0.0-ab'], ['1.0.0', 'v1.0.0', '1.0.0+b'], ['1.2.0'], ['1.10.0']],
      ['1.99999999999999999999.0'],
    ],
    odd: ['1.0', 'latest', 1],
    isIndexed: true,
  },
  any: {
    type: t.any,
    groups: [
      [-0.5],
      [0, -0],
      [2 ** 53],
      [large],
      [2 ** 53 + 2],
      [NaN],
      [''],
      ['10'],
      ['9'],
      ['\u{1f600}'],
      [false],
      [true],
    ],
    odd: [[], {}, ['a']],
    isIndexed: false,
  },
};
