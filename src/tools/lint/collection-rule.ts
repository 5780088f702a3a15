import { suggest } from '../../language/diagnostics/errors.js';
import { formOf } from '../../language/operators/operators.js';
import { analyse } from '../../language/schema/analysis.js';
import { elementTypeOf, type Type } from '../../language/schema/type.js';
import {
  type CollectionExpression,
  literalOf,
  type MatchExpression,
  type Name,
  type Selector,
} from '../../language/syntax/ast.js';
import { selectorsOf, walk } from '../../language/syntax/visit.js';
import { parseGoInt } from '../../language/values/go-number.js';
import type { LintContext } from './lint-context.js';

/** Checks for names of a collection that are unused or hide others. */
export function checkCollection(node: CollectionExpression, context: LintContext): void {
  const { default: only, index, value } = node.binding;
  const names = [only, index, value].filter((name) => name !== null);
  for (const name of names) checkShadow(name, context);
  if (!names.some((name) => isUsed(name.text, node))) checkUnused(node, names, context);
}

/** Checks for a name that is also a field of the rows or a name of an enclosing collection. */
function checkShadow(name: Name, context: LintContext): void {
  const { root, scope } = context.analysis;
  const isOuter = scope.some((binding) => binding.name === name.text);
  const isField = root.kind === 'struct' && root.fields.has(name.text);
  if (!isOuter && !isField) return;
  context.report({
    code: 'shadowed-name',
    message: `inside the braces, ${name.text} is the new name, not ${isOuter ? 'the outer one' : 'the field'}`,
    span: name.span,
    label: `hides ${isOuter ? 'the outer name' : 'the field'} ${name.text}`,
    hint: 'choose an unused name',
  });
}

/** Whether the body, or a nested collection, has a path that starts with a name. */
function isUsed(name: string, { body }: CollectionExpression): boolean {
  return selectorsOf(body).some(({ path }) => path[0] === name);
}

function checkUnused(node: CollectionExpression, names: readonly Name[], context: LintContext): void {
  const element = node.binding.value ?? node.binding.default;
  const of = elementTypeOf(context.analysis.resolve(node.selector).type);
  const first = of?.kind === 'struct' && element !== null ? firstInside(node, of, context) : null;
  context.report({
    code: 'unused-name',
    message: `the body of ${node.kind} never uses ${names.map(({ text }) => text).join(' or ')}`,
    span: node.binding.span,
    label: 'not used inside the braces',
    hint: `write ${element?.text ?? names[0]?.text ?? 'x'} before the fields of the element`,
    suggestions:
      element === null || first === null || first.form === 'pointer'
        ? []
        : [
            suggest(
              { start: first.span.start, end: first.span.start },
              `${element.text}.`,
              `write ${element.text}. in front`,
            ),
          ],
  });
}

/** Returns the first path of the body that exists in an element: probably the loop variable is missing. */
function firstInside(
  { body }: CollectionExpression,
  element: Type,
  { analysis }: LintContext,
): Selector | null {
  const inside = analyse(element);
  let found: Selector | null = null;
  walk(body, {
    enter: () => (found === null ? undefined : 'stop'),
    match: ({ selector }) => {
      const isOfRow = analysis.resolve(selector).binding === null;
      if (found === null && isOfRow && inside.resolve(selector).type !== null) found = selector;
    },
  });
  return found;
}
/** Checks for a list index that is compared with something other than a number. */
export function checkIndex(node: MatchExpression, context: LintContext): void {
  const { selector } = node;
  const value = literalOf(node);
  if (value === null || selector.path.length !== 1 || formOf(node.operator).operator.equates !== 'value')
    return;
  const { binding } = context.analysis.resolve(selector);
  if (binding?.role !== 'key-or-index' || parseGoInt(value.text) !== 'syntax') return;
  context.report({
    code: 'index-as-value',
    message: `${binding.name} is the index of an element, or the key where this is a map`,
    span: value.span,
    label: 'no index of a list',
    hint: `the element is the second name: as ${binding.name}, x { x == … }`,
  });
}
