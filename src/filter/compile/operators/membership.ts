import { literalsOf } from '../../../language/syntax/ast.js';
import type { Type } from '../../../language/schema/type.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import type { SemanticFault } from '../../../language/diagnostics/errors.js';
import { foldText, foldWeight } from '../../../language/values/case-fold.js';
import {
  instanceKindOf,
  type BlockKind,
  type InstanceKind,
} from '../../../language/values/instance/index.js';
import { chargeComparison } from '../frame/cost-model.js';
import { ABSENT } from '../frame/sentinels.js';
import type { Refuse, TestContext, ValueTest } from '../frame/test-context.js';
import { oneOfNumbers, oneOfTexts, type QuickCheck } from '../quick/check.js';
import { boundOf, sampleOf } from '../quick/order-check.js';
import { internText } from '../../../language/values/intern.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { keysOfAny, pointsOfAny } from './index-keys.js';
import { testContextOf, sampleOn } from './order-check.js';
import { placeLiteral, readerOf, refuseOdd, scaleOf, type Scale } from '../frame/scale.js';

/** `in [..]`. */
export const membership: OperatorBehaviour = {
  createTest: createMembershipTest,
  chooseCheck,
  indexKeys: keysOfAny,
  indexRanges: pointsOfAny,
};

/** Returns whether a position on a scale is in the list. */
type Has = (position: unknown) => boolean;

function createMembershipTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const scale = scaleOf(type);
  if (scale === null) return (value) => refuseOdd(context, null, value);
  const read = readElements(context, type);
  const { fault } = read;
  if (fault !== null) return () => refuse(fault, valueKindOf(type));
  const has = createLookUp(context, type, read);
  const readPlace = readerOf(scale, context);
  return (value) => {
    const position = readPlace(value);
    if (position === undefined) return refuseOdd(context, scale, value);
    return position !== ABSENT && has(position);
  };
}

/** The elements of a list on the scale of a type. */
interface Elements {
  /** The error of the first element that is not a value of the type; null if all are valid. */
  readonly fault: SemanticFault | null;
  readonly positions: readonly unknown[];
  /** Folded strings, for comparison ignoring case. */
  readonly folded: readonly string[];
  readonly blocks: readonly unknown[];
}

function readElements(context: TestContext, type: Type): Elements {
  const positions: unknown[] = [];
  const folded: string[] = [];
  const blocks: unknown[] = [];
  const blockKind = instanceKindOf(type)?.blocks ?? null;
  for (const literal of literalsOf(context.match)) {
    const block = blockKind?.parse(literal.text) ?? null;
    if (block !== null) {
      blocks.push(block);
      continue;
    }
    const placed = placeLiteral(context, type, literal);
    if ('fault' in placed) return { positions, folded, blocks, fault: placed.fault };
    if (placed.position === ABSENT) continue;
    if (literal.ignoreCase) folded.push(foldText(literal.text));
    else positions.push(placed.position);
  }
  return { positions, folded, blocks, fault: null };
}

function createLookUp(context: TestContext, type: Type, elements: Elements): Has {
  const kind = instanceKindOf(type);
  if (kind !== null) return createInstanceLookUp(kind, elements);
  if (type.kind === 'string') return createTextLookUp(context, elements);
  return createNumberLookUp(elements.positions, type.kind === 'float32' || type.kind === 'float64');
}

/** Creates a look-up of strings. Strings longer than every list element are not hashed, because hashing is slow. */
function createTextLookUp({ match, compileContext }: TestContext, elements: Elements): Has {
  const texts = new Set(elements.positions);
  const folded = new Set(elements.folded);
  const [maxLength, maxFoldedLength] = [
    maxLengthOf(elements.positions as string[]),
    maxLengthOf(elements.folded),
  ];
  const charge = chargeComparison(match, compileContext, 'literal');
  const chargeFolded = chargeComparison(match, compileContext, 'literal', foldWeight);
  return (position) => {
    const text = position as string;
    if (text.length <= maxLength) {
      charge(text.length);
      if (texts.has(text)) return true;
    }
    if (text.length > maxFoldedLength) return false;
    chargeFolded(text.length);
    return folded.has(foldText(text));
  };
}

/** Returns the maximum length; -1 for an empty list. */
function maxLengthOf(texts: readonly string[]): number {
  return texts.reduce((maxLength, { length }) => Math.max(maxLength, length), -1);
}

/**
 * Creates a look-up of numbers. A number equals a bigint of the same value, so each literal is stored in both forms if possible.
 * If the schema declares floats, a bigint counts as the nearest float, as for `==`.
 */
function createNumberLookUp(positions: readonly unknown[], isFloat: boolean): Has {
  const numbers = new Set(
    positions.filter((position) => typeof position === 'number' && !Number.isNaN(position)),
  );
  const bigints = new Set<unknown>();
  for (const position of positions) {
    if (typeof position === 'bigint') bigints.add(position);
    else if (Number.isInteger(position)) bigints.add(BigInt(position as number));
  }
  if (isFloat) return (position) => numbers.has(Number(position));
  return (position) => (typeof position === 'bigint' ? bigints : numbers).has(position);
}

/**
 * Creates a binary search for instances. An instance with omitted parts sorts directly before those that it equals, and these are
 * removed from the list. So only the last instance that does not sort after the value can equal it.
 */
function createInstanceLookUp(kind: InstanceKind, { positions, blocks }: Elements): Has {
  const sorted: unknown[] = [];
  for (const position of [...positions].sort(kind.sort)) {
    const last = sorted.at(-1);
    if (last === undefined || kind.compare(position, last) !== 0) sorted.push(position);
  }
  const inBlock = createBlockSearch(kind.blocks, blocks);
  return (position) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (kind.sort(sorted[middle], position) <= 0) low = middle + 1;
      else high = middle;
    }
    return (low > 0 && kind.compare(position, sorted[low - 1]) === 0) || inBlock(position);
  };
}

function createBlockSearch(kind: BlockKind<unknown> | null, blocks: readonly unknown[]): Has {
  if (kind === null || blocks.length === 0) return () => false;
  return (position) => blocks.some((block) => kind.storedAs(block, position));
}

/**
 * Returns the quick check: strings and numbers are looked up directly. Other kinds, and comparisons ignoring case, use a
 * function.
 */
function chooseCheck(request: CheckRequest): QuickCheck | null {
  const { type } = request;
  const scale = scaleOf(type);
  const context = testContextOf(request);
  if (scale === null || type.kind === 'float32') return null;
  const read = readElements(context, type);
  const { positions, folded, fault } = read;
  if (fault !== null) return null;
  const { kind } = scale;
  if (kind === null && type.kind === 'string' && folded.length === 0)
    return oneOfTexts(new Set((positions as string[]).map(internText)));
  if (kind === null && type.kind !== 'string') {
    const doubles = positions.map((position) => boundOf('===', position as number | bigint)?.double ?? NaN);
    return oneOfNumbers(new Set(doubles.filter((double) => !Number.isNaN(double))));
  }
  // In a body, parsing a string as an instance is charged.
  if (request.isRepeated && kind?.isText === true) return null;
  const has = createLookUp(context, type, read);
  return sampleOf(kind === null || kind.isText ? sampleOn(scale, has) : integerTrial(scale, has));
}

function integerTrial(scale: Scale, has: Has): (value: unknown) => boolean | undefined {
  return (value) => (Number.isSafeInteger(value) ? has(scale.read(value)) : undefined);
}
