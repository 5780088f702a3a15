import type { FilterError } from '../../language/diagnostics/errors.js';
import type { UnequalLiteral } from '../../language/schema/unequal-literal.js';
import { clip } from './clip.js';
import { decidingClauses } from './deciding-clause.js';
import type {
  ClauseExplanation,
  CollectionExplanation,
  Explanation,
  ListRelation,
  MatchExplanation,
  ObservedReference,
  Precedence,
} from './explanation.js';
import { quoteText, type ObservedValue } from './observed-value.js';

/** Maximum number of clauses listed before the tree; then the maximum number of lines of the tree. */
const maxClauses = 3;
const maxLines = 200;

/** Renders an explanation as text. */
export function renderExplanation(tree: Explanation, notes: readonly UnequalLiteral[]): string {
  const clauses = decidingClauses(tree);
  const lines = clauses.slice(0, maxClauses).map((clause) => `${headline(clause)}: ${reason(clause)}`);
  if (clauses.length > maxClauses) lines.push(`and ${clauses.length - maxClauses} more`);
  for (const { message, hint } of notes.slice(0, maxClauses)) {
    lines.push(`note: ${clip(message)}${hint === null ? '' : `; ${clip(hint)}`}`);
  }
  if (tree.kind !== 'match') {
    const all = treeLines(tree, 0);
    lines.push('', ...all.slice(0, maxLines));
    if (all.length > maxLines) lines.push(`       ... ${all.length - maxLines} more lines`);
  }
  return `${lines.join('\n')}\n`;
}

function headline(clause: ClauseExplanation): string {
  return `${clip(clause.text)} ${clause.error === null ? `is ${String(clause.matches)}` : 'fails'}`;
}

/** Returns why a clause has its result: the value that it read. */
export function reason(clause: ClauseExplanation): string {
  if (!clause.isNeeded) return 'not needed';
  if (clause.kind !== 'match') return elementsReason(clause);
  const { error, observed, selector } = clause;
  if (observed === null) return `${clip(selector)}: ${error?.label ?? 'not read'}`;
  const found = metText(selector, observed);
  return error === null ? `${found}${relationNote(clause)}` : `${found}, ${failureNote(clause, error)}`;
}

/** Describes why a clause failed on the value. */
function failureNote(
  { operator, observed }: MatchExplanation,
  { code, label, source, span }: FilterError,
): string {
  if (code === 'coerce-syntax' || code === 'coerce-range') {
    return `and ${clip(source.slice(span.start, span.end))} is ${label}`;
  }
  // The value can be ordered, but not relative to a literal of another kind.
  if ((code === 'no-ordering' || code === 'no-membership') && isComparable(observed))
    return 'and the literal is of another kind';
  if (code === 'no-length' || code === 'no-reference' || code === 'no-ignore-case') return `but ${label}`;
  return code.startsWith('no-') ? `which ${operator.replace('not ', '')} does not take` : `but ${label}`;
}

function metText(selector: string, { kind, text, isZero }: ObservedValue): string {
  if (kind === 'absent') return `there is no ${clip(selector)}`;
  if (!isZero) return `${clip(selector)} is ${text}`;
  return `${clip(selector)} is missing or null, which counts as ${text}`;
}

function isComparable(observed: ObservedValue | null): boolean {
  return (
    observed !== null &&
    (observed.kind === 'string' || observed.kind === 'int' || observed.kind === 'float64')
  );
}

/** Describes the relation of the value to what it was compared with, if it is not obvious. */
function relationNote(clause: MatchExplanation): string {
  const { length, other, order, among, literal } = clause;
  const measured = length === null ? '' : `, its length is ${length}`;
  if (other !== null) return `${measured}${otherNote(other, order)}`;
  if (among !== null) return `${measured}, ${amongNote(among)}`;
  if (order !== null && literal !== null)
    return `${measured}, ${orderWords(order, literal.kind)} ${literal.text}`;
  return `${measured}${literalNote(clause)}${literal?.ignoreCase === true ? ', ignoring case' : ''}`;
}

function otherNote({ selector, observed }: ObservedReference, order: Precedence | null): string {
  if (order === null) return `, ${metText(selector, observed)}`;
  return `, ${orderWords(order, observed.kind === 'time' ? 'time' : 'number')} ${clip(selector)}, which is ${observed.text}`;
}

function amongNote({ size, equal }: ListRelation): string {
  if (equal !== null) return `which is in the list: ${clip(equal)}`;
  if (size === 0) return 'and the list is empty';
  return size === 1 ? 'not the value of the list' : `none of the ${size} values of the list`;
}

/** Words for "less" and "more" if the values are not quantities. */
const words: Readonly<Partial<Record<string, readonly [less: string, more: string]>>> = {
  string: ['before', 'after'],
  time: ['before', 'after'],
  ip: ['before', 'after'],
  version: ['older than', 'newer than'],
  duration: ['shorter than', 'longer than'],
};

function orderWords(order: Precedence, kind: string): string {
  if (order === 'equal') return 'equal to';
  const [less, more] = words[kind] ?? ['less than', 'more than'];
  return order === 'less' ? less : more;
}

/** Shows the literal's converted value if it differs from its spelling. */
function literalNote({ literal, text }: MatchExplanation): string {
  if (literal === null || literal.kind === 'any' || literal.kind === 'pattern' || literal.kind === 'glob')
    return '';
  return text.includes(literal.text) || literal.kind === 'string'
    ? ''
    : ` (compared with the ${literal.kind} ${literal.text})`;
}

function elementsReason(clause: CollectionExplanation): string {
  const { kind, observed, selector, examined, elements, matches, error } = clause;
  const name = clip(selector);
  const [decisive] = elements;
  if (observed === null) return `${name}: ${error?.label ?? 'not read'}`;
  if (examined === 0)
    return error === null ? emptyReason(name, observed) : `${metText(selector, observed)}; ${error.label}`;
  if (decisive !== undefined && (error !== null || matches === (kind === 'any'))) {
    const verb = error !== null ? 'fails' : matches === true ? 'holds' : 'does not hold';
    return `${elementName(name, decisive.key)} ${verb}`;
  }
  const amount =
    examined === 1 ? 'the only element' : `${kind === 'any' ? 'none' : 'each'} of the ${examined} elements`;
  const fails = kind === 'any' && examined === 1 ? 'does not hold' : 'holds';
  return `${amount} of ${name} ${fails}`;
}

function emptyReason(name: string, { kind }: ObservedValue): string {
  return kind === 'absent' ? `there is no ${name}` : `${name} has no elements`;
}

function elementName(name: string, key: string | number): string {
  return typeof key === 'number' ? `${name}.${key}` : `${name}[${quoteText(key)}]`;
}

const verdictWidth = 7;

/** Returns one line for each part, indented by nesting, with the result first. */
function treeLines(node: Explanation, depth: number): string[] {
  const verdict = !node.isNeeded ? '-' : node.error !== null ? 'error' : String(node.matches);
  const line = (text: string): string => `${verdict.padEnd(verdictWidth)}${'  '.repeat(depth)}${text}`;
  switch (node.kind) {
    case 'and':
    case 'or':
      return [line(node.kind), ...node.operands.flatMap((each) => treeLines(each, depth + 1))];
    case 'not':
      return [line('not'), ...treeLines(node.operand, depth + 1)];
    case 'match':
      return [line(`${clip(node.text)}: ${reason(node)}`)];
    default:
      return [
        line(`${clip(node.text)}: ${reason(node)}`),
        ...node.elements.flatMap(({ key, body }) => elementLines(node.selector, key, body, depth + 1)),
      ];
  }
}

function elementLines(selector: string, key: string | number, body: Explanation, depth: number): string[] {
  const indent = ' '.repeat(verdictWidth + 2 * depth);
  return [`${indent}${elementName(clip(selector), key)}`, ...treeLines(body, depth + 1)];
}
