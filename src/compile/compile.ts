import type { PatternTable } from '../schema/pattern-table.js';
import { bodyScope, emptyScope } from '../schema/scope.js';
import { anyType, type Type } from '../schema/type.js';
import { assertNever, type CollectionExpression, type Expression } from '../syntax/ast.js';
import { createCell } from './cell.js';
import { compileCollection } from './collection.js';
import { fareOf } from './fare.js';
import type { Predicate } from './predicate.js';
import type { FailurePolicy } from './failure.js';
import { fuseCollection, fuseMatch, fuseOneOf } from './fused/fuse.js';
import { sharedCopies, type Copies } from './fused/pool.js';
import { joinAll, joinAny, negate } from './junction.js';
import { lazy } from './lazy.js';
import { compileMatch } from './match.js';
import { createMeter, withAccount, type Allowance } from './meter.js';
import type { Place } from './place.js';
import { compileSelector } from './reader.js';

export interface CompileOptions {
  /** The type of a row. */
  readonly root: Type;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** The value of names that are not found, in an array of one; null where they have none. */
  readonly unknown: readonly [unknown] | null;
  /** What one row may cost. */
  readonly allowance: Allowance;
  /** Where the filter's code comes from: `sharedCopies` when left out. */
  readonly copies?: Copies;
}

/**
 * Turns an expression into closures. What the text alone decides is decided here; nothing is allocated for a row.
 *
 * Each match becomes a fused leaf where there is one: code made for the commonest kind of value, that hands everything
 * else to the careful closures behind it. Those are the meaning of the language; leaves may only be faster.
 */
export function compileExpression(ast: Expression, options: CompileOptions): Predicate {
  const { root, patterns, policy, unknown, allowance, copies = sharedCopies } = options;
  const meter = createMeter(policy.source, ast, allowance);
  const place = { root, patterns, policy, unknown, meter, copies, cells: [], scope: emptyScope };
  return withAccount(compileNode(ast, place), meter, ast);
}

function compileNode(node: Expression, place: Place): Predicate {
  switch (node.kind) {
    case 'and':
      return (
        fuseOneOf(node, place) ??
        joinAll(
          node.operands.map((operand) => compileNode(operand, place)),
          place.copies,
        )
      );
    case 'or':
      return (
        fuseOneOf(node, place) ??
        joinAny(
          node.operands.map((operand) => compileNode(operand, place)),
          place.copies,
        )
      );
    case 'not':
      return negate(compileNode(node.operand, place), place.copies);
    case 'match':
      return fuseMatch(node, place) ?? compileMatch(node, place);
    case 'any':
    case 'all':
      return fuseCollection(node, place, compileQuantifier) ?? compileQuantifier(node, place);
    default:
      return assertNever(node);
  }
}

function compileQuantifier(node: CollectionExpression, place: Place): Predicate {
  const selector = compileSelector(place, node.selector);
  const cell = createCell(selector.path);
  const depth = place.cells.length;
  const compileBody = (collection: Type): Predicate => {
    const scope = bodyScope(node, collection, place.scope, depth);
    return compileNode(node.body, { ...place, cells: [...place.cells, cell], scope });
  };
  return compileCollection({
    expression: node,
    selector,
    cell,
    body: compileBody(selector.type ?? anyType),
    policy: place.policy,
    fare: fareOf(node, place),
    // A value that stands for an unknown name is of any kind, whatever the schema declares for the name.
    unknown:
      place.unknown === null ? null : { value: place.unknown[0], body: lazily(() => compileBody(anyType)) },
  });
}

/** A predicate that is compiled when it is first needed. */
function lazily(compile: () => Predicate): Predicate {
  const predicate = lazy(compile);
  return (row) => predicate()(row);
}
