import type { Expression, MatchExpression, Selector, Value } from '../../src/language/syntax/ast.js';
import {
  clockInstance,
  isCounted,
  isInstanceKind,
  literalBlock,
  literalInstance,
} from './oracle-instance.js';
import { compileOraclePattern } from './oracle-pattern.js';
import { coercion } from './oracle-scalar.js';
import { isGlob } from './oracle-text.js';
import { anyType, hasOddKeys, type OracleSchema, type OracleType } from './oracle-value.js';

/** Whether the check refuses a match; `open` where the language's page leaves it open, or go-bexpr's rules decide. */
export type Verdict = 'sound' | 'refused' | 'open';

/** What the check says of each match of a filter that has a form of level 1, by the page alone. */
export function checkForms(
  expression: Expression,
  schema: OracleSchema | undefined,
): Map<MatchExpression, Verdict> {
  const verdicts = new Map<MatchExpression, Verdict>();
  const root: OracleType = schema === undefined ? anyType : { kind: 'struct', name: schema.root };
  const visit = (node: Expression, names: Names): void => {
    switch (node.kind) {
      case 'and':
      case 'or':
        return node.operands.forEach((operand) => visit(operand, names));
      case 'not':
        return visit(node.operand, names);
      case 'match':
        if (isForm(node))
          verdicts.set(
            node,
            verdictOf(node, (selector) => typeAt(selector, root, names, schema)),
          );
        return;
      default: {
        const collection = typeAt(node.selector, root, names, schema);
        const { default: lone, index, value } = node.binding;
        const kind = typeof collection === 'object' ? collection.kind : 'open';
        const isDeclared = ['list', 'array', 'map'].includes(kind);
        // What is of no declared kind has elements and keys of none.
        const other = kind === 'any' ? anyType : 'open';
        const key = isDeclared ? { kind: kind === 'map' ? 'string' : 'int' } : kind === 'any' ? 'key' : other;
        const element = isDeclared ? (typeof collection === 'object' && collection.of) || anyType : other;
        const bound = new Map(names);
        if (lone !== null) bound.set(lone.text, kind === 'map' ? key : element);
        if (index !== null) bound.set(index.text, key);
        if (value !== null) bound.set(value.text, element);
        return visit(node.body, bound);
      }
    }
  };
  visit(expression, new Map());
  return verdicts;
}

/** `key`: one of a collection of no declared kind, which nothing is part of. */
type Names = ReadonlyMap<string, OracleType | 'open' | 'key'>;

const orderings = ['<', '<=', '>', '>='];
const affixes = ['starts with', 'ends with', 'not starts with', 'not ends with'];
const numberKinds = ['int', 'uint', 'float32', 'float64'];

function isForm({ aspect, operator, value }: MatchExpression): boolean {
  if (aspect === 'length' || value?.kind === 'list' || value?.kind === 'reference') return true;
  if (orderings.includes(operator) || affixes.includes(operator) || operator.endsWith('like')) return true;
  return value !== null && (value.ignoreCase || value.form === 'typed' || value.form === 'now');
}

/** The declared type of a selector; `refused` for an unknown field. */
function typeAt(
  { path }: Selector,
  root: OracleType,
  names: Names,
  schema: OracleSchema | undefined,
): OracleType | 'refused' | 'open' {
  const [head = '', ...rest] = path;
  const bound = names.get(head);
  if (bound === 'open') return 'open';
  if (bound === 'key') return rest.length === 0 ? anyType : 'open';
  let at: OracleType = bound ?? root;
  for (const part of bound === undefined ? path : rest) {
    switch (at.kind) {
      case 'any':
        return anyType;
      case 'struct': {
        const fields = schema?.structs[at.name ?? '']?.fields ?? {};
        const field = Object.hasOwn(fields, part) ? fields[part] : undefined;
        if (field === undefined) return 'refused';
        at = field;
        break;
      }
      case 'list':
      case 'array':
        if (!/^[0-9]$/.test(part) || Number(part) >= (at.len ?? 10)) return 'open';
        at = at.of ?? anyType;
        break;
      case 'map':
        if (hasOddKeys(at)) return 'open';
        at = at.of ?? anyType;
        break;
      default:
        return 'open';
    }
  }
  return at;
}

type TypeOf = (selector: Selector) => OracleType | 'refused' | 'open';

function verdictOf(match: MatchExpression, typeOf: TypeOf): Verdict {
  const type = typeOf(match.selector);
  if (typeof type === 'string') return type;
  if ((type.pointers ?? 0) > 1) return 'open';
  const { aspect, value, operator } = match;
  if (aspect === 'length') return checkLength(match, type, typeOf);
  if (value?.kind === 'list') return checkMembership(type, value.elements);
  if (value?.kind === 'reference') return checkReference(operator, type, typeOf(value.selector));
  if (value === null) return 'open';
  if (orderings.includes(operator)) return checkBound(type, value);
  if (affixes.includes(operator)) return checkText(type, value);
  if (operator.endsWith('like')) {
    const text = checkText(type, value);
    return text === 'refused' || isGlob(value.text) ? text : 'refused';
  }
  return checkLiteral(operator, type, value);
}

const refusedIf = (isRefused: boolean): Verdict => (isRefused ? 'refused' : 'sound');

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('refused')) return 'refused';
  return verdicts.includes('open') ? 'open' : 'sound';
}

function checkLength({ value }: MatchExpression, { kind, unit }: OracleType, typeOf: TypeOf): Verdict {
  const isText = ['time', 'duration', 'ip', 'version'].includes(kind) && unit === undefined;
  if (!isText && !['list', 'array', 'map', 'string', 'any'].includes(kind)) return 'refused';
  const length: OracleType = { kind: 'int' };
  const operand = ((): Verdict => {
    switch (value?.kind) {
      case 'list':
        return all(value.elements.map((element) => checkNumber(length, element)));
      case 'reference':
        return checkReference('==', length, typeOf(value.selector));
      case 'value':
        return checkNumber(length, value);
      default:
        return 'open';
    }
  })();
  // Whether the text of a time has a length, the page does not say.
  return isText && operand === 'sound' ? 'open' : operand;
}

function checkNumber({ kind }: OracleType, { text, form, ignoreCase }: Value): Verdict {
  return refusedIf(ignoreCase || form === 'typed' || form === 'now' || !coercion(kind, text).ok);
}

function isClock({ text, form }: Value): boolean {
  return form === 'now' || (form === 'bare' && text === 'now');
}

/** A literal after an ordering. */
function checkBound(type: OracleType, value: Value): Verdict {
  if (isInstanceKind(type)) return checkInstance(type, value);
  if (numberKinds.includes(type.kind)) return checkNumber(type, value);
  if (type.kind === 'string')
    return refusedIf(value.ignoreCase || value.form === 'typed' || value.form === 'now');
  if (type.kind === 'any') return refusedIf(value.ignoreCase || value.form === 'typed' || isClock(value));
  return 'refused';
}

function checkInstance(type: OracleType, value: Value): Verdict {
  if (isClock(value)) return refusedIf(type.kind !== 'time' || clockInstance(value.text, 0n) === null);
  if (literalInstance(type, value.text) === null) return isOpenLiteral(type, value) ? 'open' : 'refused';
  return value.ignoreCase ? 'open' : 'sound';
}

/** Integers that go-bexpr writes and that are no plain ones; the sign of a size; a length of another form. */
function isOpenLiteral(type: OracleType, { text }: Value): boolean {
  return isCounted(type) && coercion('int', text).ok;
}

function checkMembership(type: OracleType, elements: readonly Value[]): Verdict {
  if (isInstanceKind(type)) {
    return all(
      elements.map((element) => {
        if (literalBlock(type, element.text) === null) return checkInstance(type, element);
        return element.ignoreCase ? 'open' : 'sound';
      }),
    );
  }
  if (type.kind === 'string')
    return refusedIf(elements.some(({ form }) => form === 'typed' || form === 'now'));
  if (type.kind === 'any')
    return refusedIf(elements.some((element) => element.form === 'typed' || isClock(element)));
  if (numberKinds.includes(type.kind)) return all(elements.map((element) => checkNumber(type, element)));
  return 'refused';
}

/** The literal of an affix or a glob. */
function checkText(type: OracleType, { text, form }: Value): Verdict {
  if (form === 'now') return 'refused';
  if (type.kind === 'string' || type.kind === 'any') return refusedIf(form === 'typed');
  if (!isInstanceKind(type) || isCounted(type)) return 'refused';
  return refusedIf(form === 'typed' && literalInstance(type, text) === null);
}

/** The literal of an operator that go-bexpr has. */
function checkLiteral(operator: string, type: OracleType, { text, form, ignoreCase }: Value): Verdict {
  const isContained = operator === 'in' || operator === 'not in';
  if (form === 'now') return 'refused';
  if (ignoreCase) {
    if (isContained && type.kind === 'map') return 'refused';
    const isList = isContained && ['list', 'array'].includes(type.kind);
    const { kind, unit } = isList ? (type.of ?? anyType) : type;
    if (isInstanceKind({ kind }) && unit === undefined && kind !== 'bytes') return 'open';
    if (kind !== 'string' && kind !== 'any') return 'refused';
    if (operator.endsWith('matches')) return refusedIf(compileOraclePattern(`(?i)${text}`) === null);
    return isList && (type.of?.pointers ?? 0) > 1 ? 'open' : 'sound';
  }
  // Only a kind of its own takes what is typed.
  if (isContained && type.kind === 'map') return 'refused';
  if (isContained && ['list', 'array'].includes(type.kind)) {
    const of = type.of ?? anyType;
    if ((of.pointers ?? 0) > 1) return 'open';
    return refusedIf(!isInstanceKind(of) || literalInstance(of, text) === null);
  }
  if (!isInstanceKind(type) || literalInstance(type, text) === null) return 'refused';
  return operator === '==' || operator === '!=' ? 'sound' : 'open';
}

function checkReference(operator: string, type: OracleType, other: OracleType | 'refused' | 'open'): Verdict {
  if (typeof other === 'string') return other;
  if ((other.pointers ?? 0) > 1) return 'open';
  const isContained = operator === 'in' || operator === 'not in';
  const ordered = orderings.includes(operator);
  const isAffix = affixes.includes(operator);
  if (type.kind === 'any' || other.kind === 'any') return 'open';
  if (isAffix && !(isText(type) && isText(other))) return 'refused';
  if (isAffix) return refusedIf(type.kind !== other.kind);
  if (!isContained) return comparePair(type, other, ordered);
  switch (type.kind) {
    case 'list':
    case 'array':
      return comparePair(type.of ?? anyType, other, false);
    case 'map':
      return other.kind === 'string' ? (hasOddKeys(type) ? 'open' : 'sound') : 'refused';
    case 'string':
      return refusedIf(other.kind !== 'string');
    default:
      return isInstanceKind(type) && !isCounted(type) && type.kind === other.kind ? 'open' : 'refused';
  }
}

/** Whether rows hold text, or may. */
function isText(type: OracleType): boolean {
  return ['string', 'any'].includes(type.kind) || (isInstanceKind(type) && !isCounted(type));
}

function comparePair(type: OracleType, other: OracleType, ordered: boolean): Verdict {
  if (type.kind === 'any' || other.kind === 'any') return 'open';
  if (numberKinds.includes(type.kind) && numberKinds.includes(other.kind)) return 'sound';
  if (type.kind !== other.kind) return 'refused';
  if (['list', 'array', 'map', 'struct'].includes(type.kind)) return 'refused';
  return refusedIf(ordered && type.kind === 'bool');
}
