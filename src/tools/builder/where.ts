import { checkSchema } from '../../language/diagnostics/options.js';
import { operatorForms, takesLength, type OperatorMethod } from '../../language/operators/operators.js';
import type { Aspect } from '../../language/syntax/ast.js';
import type { Schema } from '../../language/schema/schema.js';
import type { FieldDefinitions, StructType } from '../../language/schema/type.js';
import { conditionOf, nodeOf, type Condition, type ConditionLike } from './condition.js';
import type { AnyField, PathOf } from './field-type.js';
import type { MatchNode } from './node.js';
import { operandOf } from './operand.js';
import { readPath, register, type Binder, type PathPart, type Reference } from './reference.js';

/**
 * Returns the start of a condition on a field. Each argument is one part of the path, whatever characters it has.
 *
 * ```ts
 * where('Status').is('running').and(where('Meta', 'cpu.arch').isNot(arch))
 * where('TaskGroups').any((group) => group.at('Count').is(3))
 * ```
 *
 * Nothing is known of the fields here; {@link createWhere} knows those of a schema.
 *
 * @throws TypeError for an invalid part, as `field`.
 */
export function where(...path: readonly [PathPart, ...PathPart[]]): AnyField {
  return createField({ binder: null, path: [] }, 'where', path);
}

/**
 * Creates a `where` for one schema. Unknown fields, and tests that their kinds do not support, are compile-time errors:
 *
 * ```ts
 * const where = createWhere(jobs);
 * where('Priority').is(50);
 * ```
 *
 * At run time it is the same as {@link where}: `compileFilter` with the schema finds the remaining mistakes.
 */
export function createWhere<Fields extends FieldDefinitions>(
  schema: Schema<Fields>,
): PathOf<StructType<Fields>>;
export function createWhere(schema: Schema): typeof where {
  checkSchema('createWhere', schema);
  return where;
}

/** Creates the field at `path`, relative to `from`. `position` begins error messages. */
function createField(from: Reference, position: string, path: readonly unknown[]): AnyField {
  const reference: Reference = { binder: from.binder, path: [...from.path, ...readPath(path, position)] };
  if (reference.binder === null && reference.path.length === 0)
    throw new TypeError(`${position}: the path has no parts`);
  const here =
    reference.path.length === 0 ? position : `${position}(${reference.path.map(quote).join(', ')})`;
  const quantify = (kind: 'any' | 'all') => (body: (element: AnyField, key: AnyField) => ConditionLike) =>
    createCollection(kind, reference, body, `${here}.${kind}`);
  return register(
    {
      path: reference.path,
      ...createTests(reference, 'value', here),
      length: Object.freeze(createTests(reference, 'length', `${here}.length`)),
      any: quantify('any'),
      all: quantify('all'),
      at: (...more: readonly PathPart[]) => createField(reference, position, more),
    },
    reference,
  );
}

/** The tests of a field, or of its length: a method for each form of each operator. `here` begins the messages of errors. */
function createTests(reference: Reference, aspect: Aspect, here: string): Pick<AnyField, OperatorMethod> {
  const tests = operatorForms().flatMap(({ name, operator, methods }) => {
    if (aspect === 'length' && !takesLength(name)) return [];
    const test = (value: MatchNode['value']): Condition =>
      conditionOf({ kind: 'match', operator: name, aspect, reference, value });
    return methods.map((method) => {
      const conditionFor = (value: unknown): Condition =>
        test(operandOf(operator.operand, value, `${here}.${method}`));
      return [method, operator.operand.operands === 'none' ? () => test(null) : conditionFor] as const;
    });
  });
  return Object.fromEntries(tests) as Pick<AnyField, OperatorMethod>;
}

function createCollection(
  kind: 'any' | 'all',
  reference: Reference,
  body: (element: AnyField, key: AnyField) => ConditionLike,
  position: string,
): Condition {
  if (typeof body !== 'function')
    throw new TypeError(`${position}: expected a callback that returns a condition`);
  const element: Binder = { role: 'element' };
  const key: Binder = { role: 'key' };
  const result: unknown = body(
    createField({ binder: element, path: [] }, 'element', []),
    createField({ binder: key, path: [] }, 'key', []),
  );
  return conditionOf({
    kind,
    reference,
    element,
    key,
    body: nodeOf(result, `${position}: the callback's result`),
  });
}

function quote(part: string): string {
  return JSON.stringify(part);
}
