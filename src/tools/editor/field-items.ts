import { anyType, describeType, type Type } from '../../language/schema/type.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Binding, BindingRole } from '../../language/schema/scope.js';
import { fieldPathText, quote } from '../../language/syntax/field-path.js';
import { isFieldName, isPlainName, isPointer } from '../../language/syntax/literal.js';
import type { CompletionItem } from './item.js';
import {
  namesBelow,
  partText,
  startingWith,
  type CompletionRequest,
  type CompletionSource,
} from './completion-source.js';
import { parseOrNull } from './completion-context.js';
import { locate, type ResolvedField, type ScopeAt } from './scope-at.js';

type Kinds = ReadonlySet<Type['kind']>;

/**
 * Returns the fields and bound names that can complete the fragment. `kinds` are the useful kinds, null for all. After `in` no
 * selector begins with a bracket.
 */
export function fieldItems(
  request: CompletionRequest,
  kinds: Kinds | null,
  isAfterIn = false,
): CompletionItem[] {
  const { fragment, around, known } = request;
  if (fragment.kind === 'string') return pointerItems(request, kinds);
  if (fragment.kind !== 'path' && fragment.written !== '') return [];
  if (fragment.cut !== null) return partItems(request, fragment.cut, kinds);
  const { scope } = around.analysis;
  const isKeyed = fragment.written.startsWith('[');
  const partial = isKeyed ? keyWritten(fragment.written) : fragment.written;
  const bound = startingWith(
    scope.map(({ name }) => name),
    fragment.written,
  );
  const bindings = scope.filter(({ name }) => bound.includes(name)).map(bindingItem);
  const hidden = new Set(scope.map(({ name }) => name));
  const fields = childrenOf(rowOf(around.analysis), partial, known, kinds)
    .filter(({ name }) => !hidden.has(name) && !(isAfterIn && !isFieldName(name)))
    .map(({ name, type }) => fieldItem(isKeyed ? `[${quote(name)}]` : fieldPathText([name]), type));
  return [...bindings, ...fields];
}

function rowOf({ root }: Analysis): ResolvedField {
  return { type: root, origin: [], isKey: false };
}

const roles: Readonly<Record<BindingRole, string>> = {
  element: 'element',
  key: 'key',
  index: 'index',
  'element-or-key': 'element or key',
  'key-or-index': 'key or index',
};

function bindingItem({ name, role, type }: Binding): CompletionItem {
  const kind = type.kind === 'any' ? '' : `, ${describeType(type)}`;
  return { label: name, kind: 'binding', insert: name, detail: `${roles[role]}${kind}` };
}

function fieldItem(insert: string, type: Type): CompletionItem {
  return { label: insert, kind: 'field', insert, detail: type.kind === 'any' ? '' : describeType(type) };
}

/** Returns the part of a key or a name that is written: after a bracket or a dot, without quotes. */
function keyWritten(part: string): string {
  return part.slice(1).replace(/^["`]|["`]?\]?$/g, '');
}

/** Returns the items below the written path. */
function partItems(
  { fragment: { written, from }, around, known }: CompletionRequest,
  cut: number,
  kinds: Kinds | null,
): CompletionItem[] {
  const base = written.slice(0, cut - from);
  const part = written.slice(cut - from);
  const position = placeOf(base, around);
  if (position === null) return [];
  const isBracketed = part.startsWith('[');
  const partial = keyWritten(part);
  return childrenOf(position, partial, known, kinds).map(({ name, type }) =>
    fieldItem(base + partText(name, isBracketed), type),
  );
}

function placeOf(path: string, around: ScopeAt): ResolvedField | null {
  const tree = parseOrNull(`${path} == zz`, {});
  return tree?.kind === 'match' ? locate(tree.selector, around) : null;
}

/** Returns fields of the row whose names only a pointer can express. */
function pointerItems(
  { fragment: { written }, around, known }: CompletionRequest,
  kinds: Kinds | null,
): CompletionItem[] {
  if (!written.startsWith('"')) return [];
  const partial = written.slice(1).replace(/^\//, '').replace(/"$/, '');
  return childrenOf(rowOf(around.analysis), partial, known, kinds)
    .filter(({ name }) => !isPlainName(name) && isPointer(`/${name}`) && !/[~/]/.test(name))
    .map(({ name, type }) => fieldItem(`"/${name}"`, type));
}

interface Child {
  readonly name: string;
  readonly type: Type;
}

function childrenOf(
  position: ResolvedField,
  partial: string,
  known: CompletionSource,
  kinds: Kinds | null,
): Child[] {
  return startingWith(namesBelow(known, position), partial).flatMap((name) => {
    const type = childType(position.type, name);
    return kinds === null || kinds.has(type.kind) ? [{ name, type }] : [];
  });
}

function childType(type: Type, name: string): Type {
  if (type.kind === 'struct') return type.fields.get(name)?.type ?? anyType;
  return 'of' in type ? type.of : anyType;
}
