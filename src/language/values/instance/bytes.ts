import { sizeUnits, type InstanceKind, type SizeUnit } from './instance.js';
import {
  boundIn,
  compareQuantities,
  exactProduct,
  maxAmountLength,
  parseInteger,
  readInteger,
  toInteger,
  type Quantity,
} from './quantity.js';

/** A size in bytes. Only literals can have fractions of a byte: `0.1KiB` is between 102 and 103 bytes. */
export type Size = Quantity;

const amount = /^([-+]?)([0-9]*)(?:\.([0-9]*))?([A-Za-z]*)$/;

/** Returns the exact size of a literal such as `512MiB` or `1.5GB`. A number without a unit is in the unit `plain`. */
function parseSize(text: string, plain: SizeUnit): Size | null {
  if (text.length > maxAmountLength) return null;
  const integer = parseInteger(text);
  if (integer !== null) return exactProduct(integer, sizeUnits[plain]);
  const [, sign, whole = '', decimals = '', unit = ''] = amount.exec(text) ?? [];
  if (sign === undefined || whole + decimals === '') return null;
  const size = unitOf(unit, plain);
  if (size === null) return null;
  const magnitude = BigInt(whole + decimals) * BigInt(size);
  return shifted(sign === '-' ? -magnitude : magnitude, decimals.length);
}

function unitOf(name: string, plain: SizeUnit): number | null {
  const units: Readonly<Partial<Record<string, number>>> = sizeUnits;
  return (name === '' ? sizeUnits[plain] : Object.hasOwn(sizeUnits, name) ? units[name] : null) ?? null;
}

/** Returns a number with its decimal point moved to the left. */
function shifted(digits: bigint, positions: number): Size {
  const scale = 10n ** BigInt(positions);
  const rest = ((digits % scale) + scale) % scale;
  const floor = toInteger((digits - rest) / scale);
  if (rest === 0n) return floor;
  return { floor, decimals: String(rest).padStart(positions, '0').replace(/0+$/, '') };
}

/** Returns the kind of sizes stored as integers in a unit. Numbers without a unit in filters have that unit too. */
export function bytesKindIn(unit: SizeUnit): InstanceKind<Size> {
  const size = sizeUnits[unit];
  return Object.freeze({
    name: 'bytes',
    noun: 'size',
    isText: false,
    readWeight: 30,
    expected: `a size such as 512MiB or 1.5GB, or a number (in ${unit})`,
    examples: ['512MiB', '1.5GiB', '2GB'],
    zero: 0,
    zeroText: null,
    parse: (text: string) => parseSize(text, unit),
    read: (value: unknown) => {
      const integer = readInteger(value);
      return integer === null ? null : exactProduct(integer, size);
    },
    compare: compareQuantities,
    sort: compareQuantities,
    position: null,
    blocks: null,
    inUnit: (quantity: Size) => boundIn(quantity, size),
  });
}
