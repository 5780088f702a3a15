import type { Draw } from './draw.js';
import { bytesOf } from './oracle-instance.js';
import { nanosecondsOf } from './oracle-time.js';
import type { OracleSchema, OracleType } from './oracle-value.js';

const second = 1_000_000_000n;
const hour = 3_600n * second;
const day = 24n * hour;
/** 2026-11-01T00:00:00Z. */
const base = 1_793_491_200n * second;

const pieces = [
  ...[
    'a',
    'b',
    'web',
    '-',
    '1',
    'K',
    'k',
    '\u212a',
    '\u017f',
    's',
    'S',
    'ß',
    'ss',
    'é',
    'É',
    '\u{1f600}',
    '\uff01',
  ],
  ...[
    '*',
    '?',
    '\\',
    '.',
    '5',
    'true',
    'now',
    '10.0.0.1',
    '\n',
    'Σ',
    'ς',
    'σ',
    'İ',
    'ı',
    'I',
    '"',
    '`',
    '/',
    ' ',
  ],
];
const lone = ['\ud83d', '\ude00', '\u0000', '\u2028', '\ufffd'];

/**
 * The values of one case: rows and literals take from the same few, so that they are often equal and often next to each
 * other.
 */
export class Values {
  readonly #draw: Draw;
  readonly #texts: readonly string[];
  readonly #instants: readonly bigint[];
  readonly #lengths: readonly bigint[];
  readonly #sizes: readonly bigint[];
  readonly #addresses: readonly string[];
  readonly #versions: readonly string[];
  readonly #integers: readonly bigint[];
  readonly #floats: readonly number[];

  constructor(draw: Draw) {
    this.#draw = draw;
    this.#texts = draw.list(2, 4, () => draw.list(0, 3, () => draw.pick(pieces)).join(''));
    this.#instants = draw.list(1, 3, () => this.#instant());
    this.#lengths = draw.list(1, 3, () =>
      draw.pick([hour, 90n * second, 0n, 1n, day, 7n * day, 1_500_000n, -hour]),
    );
    this.#sizes = draw.list(1, 3, () =>
      draw.pick([
        1_024n ** 3n,
        0n,
        1n,
        1_000n,
        1_024n,
        1_000n ** 3n,
        1_536n * 1_024n ** 2n,
        500_000n,
        1_023n,
      ]),
    );
    this.#addresses = draw.list(1, 3, () => draw.pick(addresses));
    this.#versions = draw.list(1, 3, () => this.#version());
    this.#integers = draw.list(2, 4, () => draw.pick(integers));
    this.#floats = draw.list(2, 4, () => draw.pick(floats));
  }

  #instant(): bigint {
    const draw = this.#draw;
    if (draw.oneIn(8)) return draw.pick([0n, -1n, -62_135_596_800n * second, 253_402_300_799n * second]);
    return base + draw.pick([0n, 1n, second, hour, day, -1n, 1_500_000n]) + BigInt(draw.below(3)) * day;
  }

  #version(): string {
    const draw = this.#draw;
    const core = draw.list(3, 3, () => draw.pick(['1', '0', '2', '10', '99999999999999999999'])).join('.');
    const pre = draw.pick(['', '', '-rc.1', '-rc.2', '-rc.10', '-rc', '-alpha', '-1', '-rc.1.x', '-0a']);
    return core + pre + draw.pick(['', '', '+b.1']);
  }

  get instant(): bigint {
    return this.#draw.pick(this.#instants);
  }

  // ---- rows

  /** A row. Where `odd` is set, one value in ten or so is not what the shape says. */
  row(shape: OracleSchema, odd: boolean): unknown {
    return this.#present({ kind: 'struct', name: shape.root }, shape, odd, 4);
  }

  #value(type: OracleType, shape: OracleSchema, odd: boolean, depth: number): unknown {
    const draw = this.#draw;
    if (draw.oneIn(14)) return null;
    const isLeaf = !['list', 'array', 'map', 'struct'].includes(type.kind);
    if (isLeaf && odd && draw.oneIn(8)) {
      const close = draw.oneIn(2) ? this.scalar(type) : null;
      return typeof close === 'string' ? this.#slip(close) : this.odd();
    }
    return depth === 0 ? null : this.#present(type, shape, odd, depth);
  }

  #present(type: OracleType, shape: OracleSchema, odd: boolean, depth: number): unknown {
    const draw = this.#draw;
    const value = (of: OracleType): unknown => this.#value(of, shape, odd, depth - 1);
    const of = type.of ?? { kind: 'any' };
    switch (type.kind) {
      case 'list':
        return draw.list(0, 3, () => value(of));
      case 'array':
        return draw.list(type.len ?? 0, type.len ?? 0, () => value(of));
      case 'map':
        return Object.fromEntries(
          draw.list(0, 3, () => [draw.pick(['k', 'x.y', this.text()]), value(of)] as const),
        );
      case 'struct': {
        const fields = Object.entries(shape.structs[type.name ?? '']?.fields ?? {});
        return Object.fromEntries(
          fields.flatMap(([name, field]) => (draw.oneIn(14) ? [] : [[name, value(field)]])),
        );
      }
      case 'any':
        return this.#anything(2);
      default:
        return this.scalar(type);
    }
  }

  #anything(depth: number): unknown {
    const draw = this.#draw;
    return draw.either<unknown>(
      [4, () => this.text()],
      [4, () => this.number()],
      [1, () => draw.pick([true, false, null, new Date(1_793_491_200_000)])],
      ...(depth === 0
        ? []
        : ([
            [1, () => draw.list(0, 3, () => this.#anything(depth - 1))],
            [
              1,
              () =>
                Object.fromEntries(draw.list(0, 2, () => [draw.pick(['k', 'a']), this.#anything(depth - 1)])),
            ],
          ] as const)),
    );
  }

  text(): string {
    const draw = this.#draw;
    const text = draw.pick(this.#texts);
    return draw.oneIn(12) ? text + draw.pick(lone) : draw.oneIn(3) ? text + draw.pick(this.#texts) : text;
  }

  number(): number | bigint {
    const draw = this.#draw;
    return draw.either<number | bigint>(
      [3, () => draw.pick(this.#floats)],
      [2, () => numberOf(draw.pick(this.#integers), draw.oneIn(2))],
    );
  }

  /** What hardly any field is. */
  odd(): unknown {
    const draw = this.#draw;
    const values = [
      null,
      undefined,
      5,
      true,
      '',
      'x',
      NaN,
      1.5,
      -1,
      2n ** 70n,
      1e300,
      -0,
      -Infinity,
      [],
      {},
      ['a'],
      { k: 'a' },
    ];
    const texts = [
      '10.0.0.300',
      '1H',
      '7d',
      '2026-02-30T00:00:00Z',
      '1.2',
      '01.2.3',
      '10.0.0.1:99999',
      'now',
      '5',
    ];
    return draw.either<unknown>(
      [4, () => draw.pick<unknown>(values)],
      [3, () => draw.pick(texts)],
      [1, () => new Date(draw.pick([1_793_491_200_000, NaN, 0]))],
      [1, () => draw.pick(lone)],
    );
  }

  /** A value of a scalar kind, as a program that keeps to the schema makes it. */
  scalar(type: OracleType): unknown {
    const draw = this.#draw;
    switch (type.kind) {
      case 'bool':
        return draw.oneIn(2);
      case 'int':
        return numberOf(draw.pick(this.#integers), draw.oneIn(2));
      case 'uint':
        return numberOf(abs(draw.pick(this.#integers)), draw.oneIn(2));
      case 'float32':
        return Math.fround(draw.pick(this.#floats));
      case 'float64':
        return draw.oneIn(6) ? numberOf(draw.pick(this.#integers), true) : draw.pick(this.#floats);
      case 'time': {
        if (type.unit !== undefined)
          return this.#counted(draw.pick(this.#instants), nanosecondsOf[type.unit] ?? 1n);
        const instant = draw.pick(this.#instants);
        return draw.oneIn(4) ? new Date(Number(instant / 1_000_000n)) : instantText(draw, instant);
      }
      case 'duration': {
        const length = draw.pick(this.#lengths);
        return type.unit === undefined
          ? goText(draw, length)
          : this.#counted(length, nanosecondsOf[type.unit] ?? 1n);
      }
      case 'bytes':
        return this.#counted(draw.pick(this.#sizes), bytesOf[type.unit ?? 'B'] ?? 1n);
      case 'ip':
        return this.#address(type.port === true);
      case 'version':
        return draw.pick(['', '', 'v']) + draw.pick(this.#versions);
      default:
        return this.text();
    }
  }

  #counted(amount: bigint, unit: bigint): number | bigint {
    const draw = this.#draw;
    return numberOf(amount / unit + draw.pick([0n, 0n, 0n, 1n, -1n]), draw.oneIn(3));
  }

  #address(mayHavePort: boolean): string {
    const draw = this.#draw;
    const address = draw.pick(this.#addresses);
    if (!mayHavePort || draw.oneIn(3)) return address;
    const port = draw.pick(['80', '4646', '0', '65535']);
    return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  }

  // ---- literals

  /** The text of a literal for a value of a type; now and then it fits none. */
  literal(type: OracleType): string {
    const text = this.#plainLiteral(type);
    return this.#draw.oneIn(30) ? wellFormed(this.#slip(text)) : text;
  }

  /** A text with a slip of the pen. */
  #slip(text: string): string {
    const draw = this.#draw;
    const at = draw.below(text.length + 1);
    const character = draw.pick(['0', '', '1', '9', '.', ':', '-', '+', 'a', 'm', 'Z', '%', '/', ' ']);
    return text.slice(0, at) + character + text.slice(at + draw.below(2));
  }

  #plainLiteral(type: OracleType): string {
    const draw = this.#draw;
    if (draw.oneIn(25))
      return draw.pick(['x', '5', '7d', '1.2.3', '2026-11-01', '1.5', '010', '1e1', '-5', 'now', '']);
    switch (type.kind) {
      case 'bool':
        return draw.pick(['true', 'false', 'T', '0']);
      case 'int':
        return String(draw.pick(this.#integers) + draw.pick([0n, 0n, 1n, -1n]));
      case 'uint':
        return String(abs(draw.pick(this.#integers) + draw.pick([0n, 0n, 1n, -1n])));
      case 'float32':
      case 'float64':
        return draw.oneIn(4) ? String(draw.pick(this.#integers)) : floatText(draw.pick(this.#floats));
      case 'time':
        return this.#timeLiteral(type);
      case 'duration':
        return this.#durationLiteral(type);
      case 'bytes':
        return this.#sizeLiteral(type);
      case 'ip':
        return this.#address(type.port === true && draw.oneIn(2));
      case 'version':
        return draw.pick(this.#versions);
      case 'any':
        return draw.either(
          [2, () => wellFormed(this.text())],
          [2, () => String(draw.pick(this.#integers))],
          [2, () => floatText(draw.pick(this.#floats))],
        );
      default:
        return wellFormed(this.text());
    }
  }

  #timeLiteral({ unit }: OracleType): string {
    const draw = this.#draw;
    const instant = draw.pick(this.#instants);
    if (unit !== undefined && draw.oneIn(2)) return String(instant / (nanosecondsOf[unit] ?? 1n));
    return draw.oneIn(3) ? instantText(draw, instant).slice(0, 10) : instantText(draw, instant);
  }

  #durationLiteral({ unit }: OracleType): string {
    const draw = this.#draw;
    const length = draw.pick(this.#lengths);
    if (unit !== undefined && draw.oneIn(2)) return String(length / (nanosecondsOf[unit] ?? 1n));
    if (length % day === 0n && draw.oneIn(2)) return draw.oneIn(2) ? '1w' : `${length / day}d`;
    return goText(draw, length);
  }

  #sizeLiteral(type: OracleType): string {
    const draw = this.#draw;
    const size = draw.pick(this.#sizes);
    if (draw.oneIn(3)) return String(size / (bytesOf[type.unit ?? 'B'] ?? 1n));
    const unit = draw.pick(Object.keys(bytesOf));
    const worth = bytesOf[unit] ?? 1n;
    const thousandths = ((size % worth) * 1_000n) / worth;
    return `${size / worth}${thousandths === 0n ? '' : `.${String(thousandths).padStart(3, '0')}`}${unit}`;
  }

  /** `now - 1h`, as far from the clock as rows may be. */
  distance(): string {
    return this.#draw.pick(['1h', '1d', '1w', '90s', '1h30m', '1.5h', '1ns', '0s']);
  }

  block(): string {
    const draw = this.#draw;
    const lengths = ['/8', '/0', '/32', '/24', '/31'];
    const address = draw.pick(this.#addresses).replace(/%.*$/, '');
    if (!address.includes(':')) return address + draw.pick(lengths);
    const isMapped = /^::ffff:/i.test(address);
    return address + draw.pick(isMapped ? ['/96', '/104', '/128'] : ['/64', '/10', '/128', '/127']);
  }

  glob(): string {
    const draw = this.#draw;
    return draw
      .list(0, 4, () => draw.pick(['*', '?', wellFormed(this.text()), '\\*', '\\?', '\\\\', 'a', '']))
      .join('');
  }
}

const addresses = [
  ...[
    '10.0.0.1',
    '10.0.0.2',
    '10.1.2.3',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
  ],
  ...['fe80::1%a', '::ffff:10.0.0.1', '::FFFF:a00:1', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', '9.255.255.255'],
];

const integers = [
  ...[
    0n,
    1n,
    5n,
    -5n,
    16n,
    1_000n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    2n ** 63n - 1n,
  ],
  ...[-(2n ** 63n), 10n, 9n],
];

const floats = [
  ...[0, 5, -0, 1.5, 0.1, 0.5, -5, 16, NaN, Infinity, -Infinity, 5e-324, 1e21, 2 ** 53, 2 ** 53 + 2, 1 / 3],
  ...[16_777_217, 0.100000001490116119384765625],
];

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** As a number where it can be one. */
function numberOf(value: bigint, preferBigint: boolean): number | bigint {
  return preferBigint || abs(value) > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value);
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Literals have no half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** An instant in one of the forms of RFC 3339. */
function instantText(draw: Draw, instant: bigint): string {
  const offset = BigInt(draw.pick([0, 0, 0, 60, -330, 840])) * 60n * second;
  const local = instant + offset;
  const fraction = ((local % second) + second) % second;
  const date = new Date(Number((local - fraction) / 1_000_000n));
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9_999 || draw.oneIn(6)) return '2026-11-01T00:00:00Z';
  const digits = String(fraction).padStart(9, '0');
  const rendered =
    fraction === 0n
      ? draw.pick(['', '.000', '.0'])
      : `.${draw.oneIn(3) ? digits : digits.replace(/0+$/, '')}`;
  const minutes = Number(offset / 60n / second);
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const zone =
    minutes === 0 ? draw.pick(['Z', 'Z', '+00:00']) : `${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
  return `${date.toISOString().slice(0, 19)}${rendered}${zone}`;
}

/** A length of time as Go writes it, or in another way that Go reads. */
function goText(draw: Draw, length: bigint): string {
  if (length === 0n) return draw.pick(['0s', '0s', '0h0m0s', '0ns']);
  const sign = length < 0n ? '-' : '';
  const size = abs(length);
  if (size % hour === 0n) {
    const hours = size / hour;
    return sign + draw.pick([`${hours}h0m0s`, `${hours}h`, `${hours / 2n}h${(hours - hours / 2n) * 60n}m`]);
  }
  if (size % second === 0n)
    return `${sign}${draw.pick([`${size / second}s`, `${size / 60n / second}m${(size / second) % 60n}s`])}`;
  return `${sign}${draw.pick([`${size}ns`, size % 1_000_000n === 0n ? `${size / 1_000_000n}ms` : `${size}ns`])}`;
}
