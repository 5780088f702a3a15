import type { FilterError } from '../diagnostics/errors.js';
import type { MatchOperator } from '../syntax/ast.js';
import { clip } from './clip.js';
import { decidingClauses } from './deciding-clause.js';
import type {
  ClauseExplanation,
  CollectionExplanation,
  Explanation,
  MatchExplanation,
} from './explanation.js';
import { quoteText, type ObservedValue } from './observed-value.js';

/** Most clauses told of in front of the tree, and most lines of it. */
const mostClauses = 3;
const mostLines = 200;

/** An explanation in words. */
export function renderExplanation(tree: Explanation): string {
  const clauses = decidingClauses(tree);
  const lines = clauses.slice(0, mostClauses).map((clause) => `${headline(clause)}: ${reason(clause)}`);
  if (clauses.length > mostClauses) lines.push(`and ${clauses.length - mostClauses} more`);
  if (tree.kind !== 'match') {
    const all = treeLines(tree, 0);
    lines.push('', ...all.slice(0, mostLines));
    if (all.length > mostLines) lines.push(`       ... ${all.length - mostLines} more lines`);
  }
  return `${lines.join('\n')}\n`;
}

function headline(clause: ClauseExplanation): string {
  return `${clip(clause.text)} ${clause.error === null ? `is ${String(clause.holds)}` : 'fails'}`;
}

/** Why a clause is as it is: what it met. */
export function reason(clause: ClauseExplanation): string {
  if (!clause.isNeeded) return 'not needed';
  if (clause.kind !== 'match') return elementsReason(clause);
  const { error, met, selector } = clause;
  if (met === null) return `${clip(selector)}: ${error?.label ?? 'not read'}`;
  const found = metText(selector, met);
  return error === null
    ? `${found}${literalNote(clause)}`
    : `${found}, ${failureNote(clause.operator, error)}`;
}

/** What is wrong with a value that was found. */
function failureNote(operator: MatchOperator, { code, label, source, span }: FilterError): string {
  if (code === 'coerce-syntax' || code === 'coerce-range') {
    return `and ${clip(source.slice(span.start, span.end))} is ${label}`;
  }
  return code.startsWith('no-') ? `which ${operator.replace('not ', '')} does not take` : `but ${label}`;
}

function metText(selector: string, { kind, text, isZero }: ObservedValue): string {
  if (kind === 'absent') return `there is no ${clip(selector)}`;
  if (!isZero) return `${clip(selector)} is ${text}`;
  return `${clip(selector)} is missing or null, which counts as ${text}`;
}

/** Says what the literal became where that is not how it is written. */
function literalNote({ literal, text }: MatchExplanation): string {
  if (literal === null || literal.kind === 'any' || literal.kind === 'pattern') return '';
  return text.includes(literal.text) || literal.kind === 'string' || literal.kind === 'time'
    ? ''
    : ` (compared with the ${literal.kind} ${literal.text})`;
}

function elementsReason({
  kind,
  met,
  selector,
  examined,
  elements,
  holds,
  error,
}: CollectionExplanation): string {
  const name = clip(selector);
  const [decisive] = elements;
  if (met === null) return `${name}: ${error?.label ?? 'not read'}`;
  if (examined === 0)
    return error === null ? emptyReason(name, met) : `${metText(selector, met)}; ${error.label}`;
  if (decisive !== undefined && (error !== null || holds === (kind === 'any'))) {
    const verb = error !== null ? 'fails' : holds === true ? 'holds' : 'does not hold';
    return `${elementName(name, decisive.key)} ${verb}`;
  }
  const amount =
    examined === 1 ? 'the only element' : `${kind === 'any' ? 'none' : 'each'} of the ${examined} elements`;
  const holdsNot = kind === 'any' && examined === 1 ? 'does not hold' : 'holds';
  return `${amount} of ${name} ${holdsNot}`;
}

function emptyReason(name: string, { kind }: ObservedValue): string {
  return kind === 'absent' ? `there is no ${name}` : `${name} has no elements`;
}

function elementName(name: string, key: string | number): string {
  return typeof key === 'number' ? `${name}.${key}` : `${name}[${quoteText(key)}]`;
}

const verdictWidth = 7;

/** One line for each part, indented as it is nested, its verdict in front. */
function treeLines(node: Explanation, depth: number): string[] {
  const verdict = !node.isNeeded ? '-' : node.error !== null ? 'error' : String(node.holds);
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
