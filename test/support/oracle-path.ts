import type { Selector } from '../../src/language/syntax/ast.js';
import { goInt } from './go-number.js';
import { OracleRefusal, type InterpreterOptions, type Scope } from './oracle-scope.js';
import {
  anyType,
  elementsOf,
  isPointer,
  look,
  ownValue,
  type OracleType,
  type Typed,
} from './oracle-value.js';

/** A resolved selector; null is "not present", the missing last key of a map. */
export type Resolved = Typed | null;

/** Follows a selector from the row or from what its first part is bound to. */
export function resolve(selector: Selector, scope: Scope): Resolved {
  const [first = '', ...rest] = selector.path;
  const binding = scope.bindings.findLast(({ name }) => name === first);
  if (binding === undefined) return resolvePath(selector.path, scope);
  if (binding.path !== null) return resolvePath([...binding.path, ...rest], scope);
  if (rest.length === 0) return binding.constant;
  if (binding.isKeyByChance && scope.options.unresolved === 'absent') return null;
  throw new OracleRefusal('binding-path');
}

function resolvePath(path: readonly string[], scope: Scope): Resolved {
  const { options } = scope;
  let at: Typed = { type: rootType(options), value: scope.row };
  for (const [index, part] of path.entries()) {
    const found = step(at, part, scope);
    if (found.kind === 'value') {
      at = found.typed;
      continue;
    }
    const isMissingKey = found.code === 'find-no-key' || found.code === 'find-no-field';
    if (isMissingKey && 'unknownValue' in options) return { type: anyType, value: options.unknownValue };
    const isLast = index === path.length - 1;
    if (found.code === 'find-no-key' && isLast && path.length > 1 && !isPointer(at.type)) return null;
    if (found.dependsOnData && options.unresolved === 'absent') return null;
    throw new OracleRefusal(found.code);
  }
  return at;
}

type Step =
  | { readonly kind: 'value'; readonly typed: Typed }
  | { readonly kind: 'failure'; readonly code: string; readonly dependsOnData: boolean };

function step(container: Typed, part: string, scope: Scope): Step {
  const { kind, value, type } = look(container, true);
  switch (kind) {
    case 'map':
      return stepIntoMap(type, value, part);
    case 'struct':
      return stepIntoStruct(type, value, part, scope);
    case 'list':
    case 'array': {
      const index = part === '' ? ({ ok: true, value: 0n } as const) : goInt(part);
      if (!index.ok)
        return { kind: 'failure', code: 'find-bad-index', dependsOnData: container.type.kind === 'any' };
      const elements = elementsOf(kind, type, value);
      const element = index.value >= 0n ? elements[Number(index.value)] : undefined;
      if (element === undefined) {
        const isPossible = kind === 'list' && (container.type.kind === 'any' || index.value >= 0n);
        return { kind: 'failure', code: 'find-out-of-range', dependsOnData: isPossible };
      }
      return { kind: 'value', typed: element };
    }
    default:
      return {
        kind: 'failure',
        code: 'find-invalid-kind',
        dependsOnData: kind === 'nil' || container.type.kind === 'any',
      };
  }
}

function stepIntoMap(type: OracleType, value: unknown, part: string): Step {
  let key = part;
  if (type.key !== undefined && type.key !== 'string') {
    const parsed = part === '' ? ({ ok: true, value: 0n } as const) : goInt(part);
    if (!parsed.ok) return { kind: 'failure', code: 'find-bad-index', dependsOnData: false };
    key = String(parsed.value);
  }
  const found = ownValue(value, key);
  if (found === undefined) return { kind: 'failure', code: 'find-no-key', dependsOnData: true };
  return { kind: 'value', typed: { type: type.of ?? anyType, value: found } };
}

function stepIntoStruct(type: OracleType, value: unknown, part: string, { options }: Scope): Step {
  const fields = options.schema?.structs[type.name ?? '']?.fields ?? {};
  for (const [property, field] of Object.entries(fields)) {
    if (field.hidden !== true && (field.selectorName ?? property) === part) {
      return { kind: 'value', typed: { type: field, value: ownValue(value, property) } };
    }
  }
  return { kind: 'failure', code: 'find-no-field', dependsOnData: false };
}

function rootType({ schema }: InterpreterOptions): OracleType {
  return schema === undefined ? anyType : { kind: 'struct', name: schema.root };
}

/** The path of a selector from the row, with a bound name replaced by what it represents. */
export function fullPath({ path }: Selector, { bindings }: Scope): readonly string[] {
  const [first = '', ...rest] = path;
  const binding = bindings.findLast(({ name }) => name === first);
  return binding === undefined ? path : [...(binding.path ?? [first]), ...rest];
}
