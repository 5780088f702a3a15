import { formOf } from '../language/operators/operators.js';
import { literalsOf } from '../language/syntax/ast.js';
import type { Analysis, WithPath } from '../language/schema/analysis.js';
import { intType } from '../language/schema/type.js';
import type { CollectionExpression, Expression, MatchExpression } from '../language/syntax/ast.js';
import { hasNotANumber } from '../filter/compile/match.js';
import { resultOf } from './pushdown.js';
import type { SqlDialect } from './dialect.js';
import {
  all,
  conditionOf,
  exactly,
  partial,
  some,
  totalLeaf,
  unknown,
  untranslated,
  type Leaf,
  type SqlPiece,
} from './leaf.js';
import { storedTypeOf, type Items, type ColumnAccess } from './column-access.js';
import { always, never, or, sql, type Sql } from './sql.js';
import { certainly, certainlyIn, certainlyNil, collectionOf, leafOfKnown } from './certain.js';
import { pairLeaf } from './pair-leaf.js';
import { canBeSent, withoutNul } from './text-leaf.js';
import { literalLeaf, scalarLeaf } from './value-leaf.js';

/** Maximum nesting of collections. Each one is a subquery for each row of the enclosing one. */
const maxDepth = 3;

/** The settings of a translation. */
export interface Translation {
  readonly dialect: SqlDialect;
  /** Returns the access to a field of a row by property; null for a field without a column. */
  readonly rootField: (property: string) => ColumnAccess | null;
  readonly now: number | null;
  /** Whether a condition is true only for rows for which the expression, in normal form, is certainly true. */
  readonly denies: boolean;
}

/** The context of an expression: its types, and the collections around it. */
interface Scope extends Translation {
  readonly analysis: Analysis;
  readonly items: readonly Items[];
}

/** The condition under which an expression holds. */
export function translate(node: Expression, analysis: Analysis, translation: Translation): SqlPiece {
  return conditionFor(node, true, { ...translation, analysis, items: [] });
}

/** Returns the condition under which an expression is true, or false. `not` is pushed down to the matches, which support both. */
function conditionFor(node: Expression, expected: boolean, scope: Scope): SqlPiece {
  switch (node.kind) {
    case 'not':
      return conditionFor(node.operand, !expected, scope);
    case 'and':
    case 'or': {
      const pieces = node.operands.map((operand) => conditionFor(operand, expected, scope));
      return (node.kind === 'and') === expected ? all(pieces) : some(pieces);
    }
    case 'match':
      return matchCondition(node, expected, scope);
    default:
      return collectionCondition(node, expected, scope);
  }
}

function collectionCondition(node: CollectionExpression, expected: boolean, scope: Scope): SqlPiece {
  const { analysis, items } = scope;
  if (items.length >= maxDepth) return unknown(`collections are nested more than ${maxDepth} deep`);
  const access = placeOf(node.selector, scope);
  if (typeof access === 'string') return unknown(access);
  if (access.type.nullDepth > 0) return unknown('a collection that may be null has no result');
  const { index, value } = node.binding;
  if (index !== null && value !== null && index.text === value.text)
    return unknown('its two names are the same');
  const found = access.items(`tamis_${items.length + 1}`);
  if (found === null) return unknown('the column does not distinguish its elements');
  const inner = { ...scope, analysis: analysis.body(node), items: [...items, found] };
  const isAny = node.kind === 'any';
  const open = (piece: SqlPiece): SqlPiece => withUnreadable(piece, [access]);
  if (scope.denies) return open(certainlyIn(access, found, isAny, conditionFor(node.body, true, inner)));
  const body = conditionFor(node.body, isAny, inner);
  // Whether at least one element must match, or none.
  const isSome = isAny === expected;
  if (body.sql === null) return body;
  const exists = found.exists(body.sql);
  if (isSome) return open({ ...body, sql: exists });
  // If the body's condition is true for too many elements, its negation is true for too few.
  return body.isExact ? open(exactly(sql`NOT ${exists}`)) : unknown(body.why ?? '');
}

/** Returns a condition that is also true for values that the engine cannot read. The residual filter evaluates them. */
function withUnreadable(piece: SqlPiece, accesses: readonly ColumnAccess[]): SqlPiece {
  return accesses.reduce(
    (found, { unreadable }) =>
      found.sql === null || unreadable === undefined
        ? found
        : partial(or([found.sql, unreadable.condition]), found.why ?? unreadable.why),
    piece,
  );
}

/** Returns the access that a selector resolves to, or the reason why it cannot be translated. */
function placeOf(selector: WithPath, { analysis, items, rootField, dialect }: Scope): ColumnAccess | string {
  const { binding, steps, parts } = analysis.resolve(selector);
  let access: ColumnAccess | null = null;
  let from = 0;
  if (binding === null) {
    const [first] = steps;
    if (first?.kind !== 'field') return 'the schema does not describe it';
    access = rootField(first.property);
    if (access === null) return `${first.property} has no column in the mapping`;
    from = 1;
  } else {
    const found = items[binding.depth];
    if (found === undefined) return 'its name is not bound';
    if (binding.role === 'element') access = found.value;
    else if (binding.role === 'key' || binding.role === 'index')
      return parts.length === 0 ? found.key : 'a key has no parts';
    else return 'its name depends on the row';
  }
  for (const step of steps.slice(from)) {
    if (access === null) break;
    switch (step.kind) {
      case 'field':
        access = access.field(step.property, step.type);
        break;
      case 'key':
        access = canBeSent(step.property, dialect)
          ? access.entry(dialect.text(step.property), step.type)
          : null;
        break;
      case 'index':
        access =
          Number.isSafeInteger(step.index) && step.index >= 0 && step.index < 2 ** 31 - 1
            ? access.element(step.index, step.type)
            : null;
        break;
      default:
        return 'the value depends on the row';
    }
  }
  return access ?? 'the column does not distinguish the parts of its values';
}

function matchCondition(node: MatchExpression, expected: boolean, scope: Scope): SqlPiece {
  const { negated } = formOf(node.operator);
  const isPositive = expected !== negated;
  const { dialect, denies } = scope;
  // An empty list contains nothing, whatever the row, unless a missing value denies it.
  if (node.value?.kind === 'list' && node.value.elements.length === 0 && !denies)
    return exactly(isPositive ? never : always);
  const access = placeOf(node.selector, scope);
  if (typeof access === 'string') return unknown(access);
  const { type } = access;
  if (type.nullDepth > 1) return unknown('a pointer to a pointer has no column');
  const { value } = node;
  if (value?.kind === 'reference') {
    const other = placeOf(value.selector, scope);
    if (typeof other === 'string') return unknown(other);
    const found = pairLeaf(dialect, node, access, other, denies);
    return withUnreadable(isPositive ? found.yes : found.no, [access, other]);
  }
  return withUnreadable(literalCondition(node, access, isPositive, scope), [access]);
}

function literalCondition(
  node: MatchExpression,
  access: ColumnAccess,
  isPositive: boolean,
  scope: Scope,
): SqlPiece {
  const { dialect, denies } = scope;
  const { operator } = formOf(node.operator);
  const { type } = access;
  if (denies && operator.name === 'is nil') return certainlyNil(access, isPositive);
  if (denies && !isPositive && hasNotANumber(node, type)) return exactly(never);
  const found = node.aspect === 'length' ? lengthLeaf(node, access, scope) : valueLeaf(node, access, scope);
  if (denies)
    return found.isTotal
      ? isPositive
        ? found.yes
        : found.no
      : certainly(dialect, found, access, isPositive);
  const results = {
    ofNull: access.isNull !== null && found.isTotal !== true && resultOf(node, type, 'null', null, scope.now),
    ofMissing: operator.whenAbsent,
  };
  return conditionOf(found, access, results, isPositive);
}

function valueLeaf(node: MatchExpression, access: ColumnAccess, scope: Scope): Leaf {
  const { dialect, now, denies } = scope;
  const { operator } = formOf(node.operator);
  const { type } = access;
  if (operator.name === 'is nil') return nilLeaf(node, access, now);
  const stored = storedTypeOf(type);
  if (stored === 'list') {
    if (operator.name === 'in') return elementLeaf(node, access, scope);
    return operator.name === 'is empty'
      ? sizeLeaf(access)
      : untranslated('the operator does not apply to a list');
  }
  if (stored === 'map') {
    if (operator.name === 'is empty') return sizeLeaf(access);
    const [key] = literalsOf(node);
    if (operator.name !== 'in' || key === undefined)
      return untranslated('the operator does not apply to a map');
    if (!key.wellFormed)
      return denies ? leafOfKnown(never, [collectionOf(access)]) : totalLeaf(never, always);
    const has = canBeSent(key.text, dialect) ? access.hasKey(dialect.text(key.text)) : null;
    if (has === null) return untranslated('the column does not distinguish its keys');
    return denies ? leafOfKnown(has, [collectionOf(access)]) : totalLeaf(has);
  }
  const scalar = access.scalar();
  return scalar === null
    ? untranslated('the column does not distinguish its values')
    : scalarLeaf(dialect, scalar, type, node, now);
}

function sizeLeaf(access: ColumnAccess): Leaf {
  const size = access.size();
  if (size === null) return untranslated('the column does not store the number of elements');
  return { yes: exactly(sql`${size} = 0`), no: exactly(sql`${size} > 0`) };
}

function nilLeaf(node: MatchExpression, access: ColumnAccess, now: number | null): Leaf {
  const { isNull, isMissing, type } = access;
  const conditions: Sql[] = [];
  if (isNull !== null && resultOf(node, type, 'null', null, now)) conditions.push(isNull);
  if (isMissing !== null) conditions.push(isMissing);
  return conditions.length === 0 ? totalLeaf(never, always) : totalLeaf(or(conditions));
}

function lengthLeaf(node: MatchExpression, access: ColumnAccess, { dialect, now }: Scope): Leaf {
  const name = formOf(node.operator).operator.name;
  const of = (value: Sql): Leaf =>
    literalLeaf(dialect, { kind: 'integer', value }, intType, name, literalsOf(node), now);
  const stored = storedTypeOf(access.type);
  if (stored === 'list' || stored === 'map') {
    const size = access.size();
    return size === null ? untranslated('the column does not store the number of elements') : of(size);
  }
  const scalar = access.scalar();
  if (scalar === null || !('text' in scalar))
    return untranslated('it compares the string form of a value that is not stored as a string');
  return withoutNul(dialect, scalar.text, of(dialect.length(scalar.text.value)));
}

/** Returns the leaf that an element of a list equals the literal. */
function elementLeaf(
  node: MatchExpression,
  access: ColumnAccess,
  { dialect, now, items, denies }: Scope,
): Leaf {
  const { type } = access;
  const [literal] = literalsOf(node);
  const found = access.items(`tamis_${items.length + 1}`);
  if (type.kind !== 'list' || literal === undefined || found === null)
    return untranslated('the column does not distinguish its elements');
  const scalar = found.value.scalar();
  if (scalar === null) return untranslated('the column does not describe its elements');
  const equal = literalLeaf(dialect, scalar, type.of, '==', [literal], now);
  const ofNull = !denies && resultOf(node, type, 'null element', [null], now);
  const piece = denies
    ? certainly(dialect, equal, found.value, true)
    : conditionOf(equal, found.value, { ofNull, ofMissing: false }, true);
  if (piece.sql === null) return { yes: piece, no: piece };
  const no = denies ? certainlyIn(access, found, false, certainly(dialect, equal, found.value, false)) : null;
  const isPlain = !ofNull && literal.wellFormed && !literal.ignoreCase && canBeSent(literal.text, dialect);
  const given =
    isPlain && storedTypeOf(type.of) === 'text' ? access.hasElement(literal.text, dialect.text) : null;
  if (given !== null && piece.isExact)
    return no === null ? totalLeaf(given) : { yes: exactly(given), no, isTotal: true };
  const exists = found.exists(piece.sql);
  if (no !== null) return { yes: { ...piece, sql: exists }, no, isTotal: true };
  if (!piece.isExact) return { yes: { ...piece, sql: exists }, no: unknown(piece.why ?? ''), isTotal: true };
  return totalLeaf(exists, sql`NOT ${exists}`);
}
