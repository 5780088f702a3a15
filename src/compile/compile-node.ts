import type { Analysis } from '../schema/analysis.js';
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
  const { analysis } = place;
  const compileBody = (within: Analysis): Predicate =>
    compileNode(node.body, { ...place, cells: [...place.cells, cell], analysis: within });
  return compileCollection({
    expression: node,
    selector,
    cell,
    body: compileBody(analysis.body(node)),
    policy: place.policy,
    fare: fareOf(node, place),
    // A value that stands for an unknown name is of any kind, whatever the schema declares for the name.
    unknown:
      place.unknown === null
        ? null
        : { value: place.unknown[0], body: lazily(() => compileBody(analysis.openBody(node))) },
  });
}
