import { parse, type Expression, type Schema } from 'tamis';
import { createExplainer, diagnose, type Explanation } from 'tamis/explain';
import { lintFilter } from '@tamis/filter-box/find-problems';
import { portable } from 'tamis/portable';
import type { ClauseReport, ExplainedNode, FilterNode, Inspection } from '../protocol.js';

/** Says what there is to say about a filter without looking at a row. The text must be a filter for the schema. */
export function inspectFilter(text: string, schema: Schema | null): Inspection {
  const { ast } = parse(text);
  return {
    tree: nodeOf(ast, text),
    findings: lintFilter(text, schema),
    portable: portableOf(text, schema),
  };
}

function portableOf(text: string, schema: Schema | null): Inspection['portable'] {
  const result = portable(text, { schema: schema ?? undefined });
  if (result.ok) return { ok: true, text: result.text };
  return {
    ok: false,
    reasons: result.clauses.map(({ span, label, hint }) => ({
      severity: 'warning',
      span,
      message: label,
      hint,
      suggestions: [],
    })),
  };
}

function nodeOf(node: Expression, text: string): FilterNode {
  const { kind, span } = node;
  const written = text.slice(span.start, span.end);
  switch (kind) {
    case 'match':
      return { kind, text: written, span, children: [] };
    case 'any':
    case 'all':
      return {
        kind,
        text: headOf(text.slice(span.start, node.body.span.start)),
        span,
        children: [nodeOf(node.body, text)],
      };
    case 'not':
      return { kind, text: 'not', span, children: [nodeOf(node.operand, text)] };
    case 'and':
    case 'or':
      return { kind, text: kind, span, children: node.operands.map((operand) => nodeOf(operand, text)) };
  }
}

/** The source before the brace of a collection. */
function headOf(opening: string): string {
  return opening
    .replace(/\{\s*$/, '')
    .trim()
    .replace(/\s+/g, ' ');
}

/** Returns a function that reports the result of each part of a filter for a row. */
export function createRowExplainer(
  text: string,
  schema: Schema | null,
): (row: object) => { readonly tree: ExplainedNode; readonly decidedBy: readonly string[] } {
  const explain = createExplainer(text, schema === null ? {} : { schema });
  const root = nodeOf(parse(text).ast, text);
  return (row) => {
    const explanation = explain(row);
    const head = String(explanation).split('\n\n')[0] ?? '';
    return {
      tree: explainedNode(explanation.tree, root),
      decidedBy: head.split('\n').filter((line) => line !== ''),
    };
  };
}

/** The explanation has the shape of the filter, but for collections, which have one body for each element looked at. */
function explainedNode(part: Explanation, node: FilterNode): ExplainedNode {
  const { span, matches, isNeeded, kind } = part;
  const [body = node] = node.children;
  return {
    kind,
    text: node.text,
    span,
    matches,
    isNeeded,
    note: isNeeded ? (part.error?.message ?? noteOf(part)) : '',
    children: partsOf(part).map(({ label, part: below }, index) => {
      const child = explainedNode(below, label === '' ? (node.children[index] ?? node) : body);
      return { ...child, note: [label, child.note].filter((each) => each !== '').join(': ') };
    }),
  };
}

function partsOf(part: Explanation): { readonly label: string; readonly part: Explanation }[] {
  switch (part.kind) {
    case 'and':
    case 'or':
      return part.operands.map((operand) => ({ label: '', part: operand }));
    case 'not':
      return [{ label: '', part: part.operand }];
    case 'any':
    case 'all':
      return part.elements.map(({ key, body }) => ({ label: `element ${key}`, part: body }));
    case 'match':
      return [];
  }
}

/** The value of a part in the row; empty if the parts below it show it. */
function noteOf(part: Explanation): string {
  if (part.kind === 'any' || part.kind === 'all')
    return `${part.examined} ${part.examined === 1 ? 'element' : 'elements'} looked at`;
  if (part.kind !== 'match') return '';
  const { observed, selector, length, other } = part;
  const seen = length === null ? observed?.text : String(length);
  if (seen === undefined) return '';
  const subject = length === null ? selector : `len(${selector})`;
  return `${subject} is ${seen}${other === null ? '' : `, ${other.selector} is ${other.observed.text}`}`;
}

/** Rows that a report begins with, and how many times more it may take where those were quick. */
const firstRows = 100;
const growth = 20;
const maxReported = 10_000;
/** Milliseconds that the last, largest report may take by the measure of the one before. */
const maxReportLength = 400;

/** Counts what each clause leaves of the rows: of the first ones, and of more as long as that is quick. */
export function reportClauses(
  text: string,
  rows: readonly object[],
  schema: Schema | null,
  now: () => number,
): ClauseReport {
  let max = firstRows;
  for (;;) {
    const begin = now();
    const found = diagnose(text, rows, { ...(schema === null ? {} : { schema }), maxRows: max });
    const next = Math.min(maxReported, max * growth);
    const time = (now() - begin) * (next / max);
    if (!found.isPartial || max >= maxReported || time > maxReportLength) return reportOf(found);
    max = next;
  }
}

function reportOf(found: ReturnType<typeof diagnose>): ClauseReport {
  return {
    rows: found.rows,
    isPartial: found.isPartial,
    matched: found.matched,
    clauses: found.clauses.map(({ text, span, alone, surviving, failed }) => ({
      text,
      span,
      alone,
      surviving,
      failed,
    })),
    blocking: found.blockingClause,
    values: found.values.slice(0, 12).map(({ text, count }) => ({ text, count })),
    hasMoreValues: found.hasMoreValues || found.values.length > 12,
    range: found.range,
    summary: String(found),
    suggestions: found.suggestions,
  };
}
