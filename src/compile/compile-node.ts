import { bodyScope } from '../schema/scope.js';
import { anyType, type Type } from '../schema/type.js';
import { assertNever, type CollectionExpression, type Expression } from '../syntax/ast.js';
import { createCell } from './cell.js';
import { compileCollection } from './collection.js';
import { fareOf } from './fare.js';
import { joinAll, joinAny, negate } from './junction.js';
import { lazily } from './lazy.js';
import { compileMatch } from './match.js';
import type { Place } from './place.js';
import type { Predicate } from './predicate.js';
import { compileSelector } from './reader.js';

/** An expression as the language means it, for every kind of row: closures, of which nothing is allocated for a row. */
export function compileNode(node: Expression, place: Place): Predicate {
  switch (node.kind) {
    case 'and':
      return joinAll(node.operands.map((operand) => compileNode(operand, place)));
    case 'or':
      return joinAny(node.operands.map((operand) => compileNode(operand, place)));
    case 'not':
      return negate(compileNode(node.operand, place));
    case 'match':
      return compileMatch(node, place);
    case 'any':
    case 'all':
      return compileQuantifier(node, place);
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
