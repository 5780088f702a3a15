import { emptyCollectionAnswer, operatorRule } from '../../schema/operators.js';
import { resolvePath, type Step } from '../../schema/resolve.js';
import { bodyScope, clashingName, startOf } from '../../schema/scope.js';
import type { Type } from '../../schema/type.js';
import type {
  AndExpression,
  CollectionExpression,
  Expression,
  MatchExpression,
  OrExpression,
  Selector,
} from '../../syntax/ast.js';
import { internText } from '../../values/intern.js';
import { isRecord } from '../../values/kind.js';
import { noOperand, type Operand } from '../../values/operand.js';
import { createCell, type Cell } from '../cell.js';
import type { Predicate } from '../predicate.js';
import { lazy } from '../lazy.js';
import { joinAll, joinAny, negate } from '../junction.js';
import { compileMatch } from '../match.js';
import { longComparison } from '../meter.js';
import type { Place } from '../place.js';
import { createFastRead, createTrail, plainNames, standIn, type Trail } from './fast-read.js';
import { comparesText, createLeaf, createOneOfLeaf, type LeafParts } from './leaf.js';
import { elements, type FastPredicate, type Slow } from './leaves.generated.js';

/** What a fused predicate is called with: the row, or an element of the collection whose cell this is. */
type Ground =
  { readonly kind: 'row' } | { readonly kind: 'element'; readonly depth: number; readonly cell: Cell };

const rowGround: Ground = { kind: 'row' };

/** A fused leaf for a match on the row, null where only the careful closures will do. */
export function fuseMatch(node: MatchExpression, place: Place): Predicate | null {
  return fuseAt(node, place, rowGround) as Predicate | null;
}

function fuseAt(node: MatchExpression, place: Place, ground: Ground): FastPredicate | null {
  const route = layRoute(node.selector, place, ground);
  if (route === null) return null;
  const slow = createSlow(node, route, ground, () => compileMatch(node, place));
  return createLeaf(partsOf(node, route, place, ground, slow));
}

/** A selector that plain property reads can follow. */
interface Route {
  readonly steps: readonly Step[];
  readonly names: readonly string[];
  /** What the last read found on its way, a holder for each name but the first. */
  readonly trail: Trail;
  readonly type: Type;
  /** True where the last name is a key that a map may lack. */
  readonly mayLackKey: boolean;
}

function layRoute(selector: Selector, place: Place, ground: Ground): Route | null {
  const start = startOf(selector, place.root, place.scope);
  if (!standsOn(start.binding, ground) || place.unknown !== null) return null;
  const { steps, end } = resolvePath(start.type, start.parts);
  const names = plainNames(steps);
  if (end === null || names === null || (names.length === 0 && ground.kind === 'row')) return null;
  const last = steps.at(-1);
  const isKey = last?.kind === 'open' || (last?.kind === 'key' && last.parent.pointers === 0);
  return {
    steps,
    names,
    trail: createTrail(names),
    type: end,
    mayLackKey: isKey && selector.path.length > 1,
  };
}

function standsOn(binding: ReturnType<typeof startOf>['binding'], ground: Ground): boolean {
  if (ground.kind === 'row') return binding === null;
  // Only lists are walked element by element, so what may be an element or a key is an element.
  const isElement = binding?.role === 'element' || binding?.role === 'element-or-key';
  return isElement && binding.depth === ground.depth;
}

function partsOf(
  node: MatchExpression,
  { names, type, trail }: Route,
  place: Place,
  ground: Ground,
  slow: Slow,
): LeafParts {
  const operand = operandOf(node);
  const pattern = operatorRule(node.operator).base === 'matches' ? place.patterns.compile(node) : null;
  // The one collection around an element is walked for as long as that is free.
  const isRepeated = place.cells.length > (ground.kind === 'row' ? 0 : 1);
  return { node, operand, pattern, type, names, trail, slow, copies: place.copies, place, isRepeated };
}

/**
 * What a leaf calls for a value that it is not made for. Two answers are known without the careful closures: a field
 * that is absent reads as its zero value, and a key that its map lacks has the operator's answer. For all others they
 * are asked about what was read; the row itself is read once.
 */
function createSlow(node: MatchExpression, route: Route, ground: Ground, compile: () => Predicate): Slow {
  const careful = lazy(compile);
  const run = carefulRun(ground, careful);
  const { whenAbsent } = operatorRule(node.operator);
  const { names, trail } = route;
  const parentOf = (row: unknown): unknown => (trail.length === 0 ? row : trail.at(-1)?.value);
  if (route.mayLackKey && names.length > 0) {
    return (row, v) =>
      v === undefined && isRecord(parentOf(row)) ? whenAbsent : run(standIn(row, v, names, trail));
  }
  if (!readsZero(route)) return (row, v) => run(standIn(row, v, names, trail));
  let zero: boolean | null = null;
  return (row, v) => {
    const isZero = (v === undefined || v === null) && isRecord(row);
    // The zero value is the same in every row: that of a row which has nothing is kept.
    return isZero ? (zero ??= run({})) : run(standIn(row, v, names, trail));
  };
}

/** The careful answer for one row or element; elements are put where the careful closures look for them. */
function carefulRun(ground: Ground, careful: () => Predicate): (row: unknown) => boolean {
  if (ground.kind === 'row') return (row) => careful()(row);
  const { cell } = ground;
  return (element) => {
    const { value } = cell;
    cell.value = element;
    try {
      return careful()(undefined);
    } finally {
      cell.value = value;
    }
  };
}

function readsZero({ steps, type }: Route): boolean {
  return steps.length === 1 && steps[0]?.kind === 'field' && type.pointers === 0 && type.kind !== 'any';
}

/**
 * One look-up for `F == a or F == b or ...` and for `F != a and F != b and ...`, where all of them compare texts of one
 * field; null for everything else.
 */
export function fuseOneOf(node: AndExpression | OrExpression, place: Place): Predicate | null {
  const operator = node.kind === 'or' ? '==' : '!=';
  const [first, ...others] = node.operands;
  if (first?.kind !== 'match' || first.operator !== operator) return null;
  const matches = [first];
  for (const other of others) {
    if (other.kind !== 'match' || other.operator !== operator || !samePath(other, first)) return null;
    matches.push(other);
  }
  const route = layRoute(first.selector, place, rowGround);
  if (route === null || !matches.every((match) => comparesText(route.type, operandOf(match)))) return null;
  const join = node.kind === 'or' ? joinAny : joinAll;
  const slow = createSlow(first, route, rowGround, () =>
    join(
      matches.map((match) => compileMatch(match, place)),
      place.copies,
    ),
  );
  const parts = partsOf(first, route, place, rowGround, slow);
  if (parts.isRepeated && matches.some((match) => operandOf(match).text.length > longComparison)) return null;
  const texts = new Set(matches.map((match) => internText(operandOf(match).text)));
  return createOneOfLeaf(parts, texts, node.kind === 'or') as Predicate;
}

function operandOf({ value }: MatchExpression): Operand {
  return value ?? noOperand;
}

function samePath(a: MatchExpression, b: MatchExpression): boolean {
  const { path } = b.selector;
  return (
    a.selector.path.length === path.length && a.selector.path.every((part, index) => part === path[index])
  );
}

/**
 * A walk over a list whose body looks at nothing but the element: the body is then called with the element itself.
 * Null where the body needs more, or has a match for which there is no leaf.
 */
export function fuseCollection(
  node: CollectionExpression,
  place: Place,
  compile: (node: CollectionExpression, place: Place) => Predicate,
): Predicate | null {
  // Below another collection every run of the body is counted, which the fused walk does not do.
  if (place.cells.length > 0) return null;
  const route = layRoute(node.selector, place, rowGround);
  if (route === null || clashingName(node.binding) !== null) return null;
  if (route.type.pointers > 0 || (route.type.kind !== 'list' && route.type.kind !== 'any')) return null;
  const cell = createCell(() => node.selector.path);
  const depth = place.cells.length;
  const inner: Place = {
    ...place,
    cells: [...place.cells, cell],
    scope: bodyScope(node, route.type, place.scope, depth),
  };
  const body = fuseBody(node.body, inner, { kind: 'element', depth, cell });
  if (body === null) return null;
  const careful = lazy(() => compile(node, place));
  const isList = route.type.kind === 'list';
  const empty = emptyCollectionAnswer[node.kind];
  const { names, trail } = route;
  const slow: Slow = (row, v) => (isList && v === null ? empty : careful()(standIn(row, v, names, trail)));
  return place.copies.take(elements)(
    createFastRead(route.names, place.copies, route.trail),
    body,
    node.kind === 'any',
    cell,
    slow,
  ) as Predicate;
}

function fuseBody(node: Expression, place: Place, ground: Ground): FastPredicate | null {
  switch (node.kind) {
    case 'match':
      return fuseAt(node, place, ground);
    case 'not': {
      const operand = fuseBody(node.operand, place, ground);
      return operand === null ? null : negate(operand as Predicate, place.copies);
    }
    case 'and':
    case 'or': {
      const operands: Predicate[] = [];
      for (const operand of node.operands) {
        const fused = fuseBody(operand, place, ground);
        if (fused === null) return null;
        operands.push(fused as Predicate);
      }
      return (node.kind === 'and' ? joinAll : joinAny)(operands, place.copies);
    }
    default:
      return null;
  }
}
