import { createCell } from '../compile/cell.js';
import { compileCollection } from '../compile/collection.js';
import { fareOf } from '../compile/fare.js';
import { lazily } from '../compile/lazy.js';
import { compileMatch } from '../compile/match.js';
import { ABSENT, UNKNOWN } from '../compile/outcome.js';
import type { Place } from '../compile/place.js';
import type { Predicate } from '../compile/predicate.js';
import { compileSelector, type Reader } from '../compile/reader.js';
import { FilterError } from '../diagnostics/errors.js';
import type { Analysis } from '../schema/analysis.js';
import type { Type } from '../schema/type.js';
import {
  assertNever,
  type AndExpression,
  type CollectionExpression,
  type Expression,
  type MatchExpression,
  type NotExpression,
  type OrExpression,
} from '../syntax/ast.js';
import { print } from '../syntax/print.js';
import { comparedLiteral } from './compared-literal.js';
import type { ElementExplanation, Explanation } from './explanation.js';
import { absentValue, describeMet, type MetValue } from './met-value.js';

/** Evaluates a part for a row and tells what happened. */
export type Observer = (row: unknown) => Explanation;

/** Most elements told of when none of them decided. */
const mostElements = 3;

/**
 * Compiles an expression into observers. They call the very closures that filters are made of, so what they tell is what
 * the filter does; only the order of evaluation is written here once more.
 */
export function observe(node: Expression, place: Place): Observer {
  switch (node.kind) {
    case 'and':
    case 'or':
      return observeJunction(node, place);
    case 'not':
      return observeNegation(node, place);
    case 'match':
      return observeMatch(node, place);
    case 'any':
    case 'all':
      return observeCollection(node, place);
    default:
      return assertNever(node);
  }
}

function describe(node: Expression, { policy }: Place): Pick<Explanation, 'text' | 'span'> {
  return { text: policy.source.slice(node.span.start, node.span.end), span: node.span };
}

const unneeded = { holds: null, isNeeded: false, error: null } as const;

/** The explanation of a part that evaluation never reached. */
function skipped(node: Expression, place: Place): Explanation {
  const base = { ...describe(node, place), ...unneeded };
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, ...base, operands: node.operands.map((each) => skipped(each, place)) };
    case 'not':
      return { kind: 'not', ...base, operand: skipped(node.operand, place) };
    case 'match': {
      const { operator, selector } = node;
      return { kind: 'match', ...base, operator, selector: print(selector), met: null, literal: null };
    }
    default:
      return {
        kind: node.kind,
        ...base,
        selector: print(node.selector),
        met: null,
        examined: 0,
        elements: [],
      };
  }
}

function observeJunction(node: AndExpression | OrExpression, place: Place): Observer {
  const { kind, operands } = node;
  const deciding = kind === 'or';
  const parts = operands.map((each) => ({ watch: observe(each, place), rest: skipped(each, place) }));
  const base = describe(node, place);
  return (row) => {
    const told: Explanation[] = [];
    let decisive: Explanation | null = null as Explanation | null;
    for (const { watch, rest } of parts) {
      const each: Explanation = decisive === null ? watch(row) : rest;
      told.push(each);
      if (decisive === null && (each.error !== null || each.holds === deciding)) decisive = each;
    }
    const error = decisive?.error ?? null;
    const holds = error === null ? (decisive !== null) === deciding : null;
    return { kind, ...base, holds, isNeeded: true, error, operands: told };
  };
}

function observeNegation(node: NotExpression, place: Place): Observer {
  const watch = observe(node.operand, place);
  const base = describe(node, place);
  return (row) => {
    const operand = watch(row);
    const holds = operand.holds === null ? null : !operand.holds;
    return { kind: 'not', ...base, holds, isNeeded: true, error: operand.error, operand };
  };
}

function observeMatch(node: MatchExpression, place: Place): Observer {
  const test = compileMatch(node, place);
  const { read, type, isIndex } = compileSelector(place, node.selector, node);
  const base = { ...describe(node, place), isNeeded: true };
  const { operator } = node;
  const selector = print(node.selector);
  return (row) => {
    const found = follow(read, row);
    const met = found === null ? null : meet(found.value, type, place);
    const literal = met === null ? null : comparedLiteral(node, met, type, isIndex);
    const answer = attempt(() => test(row));
    return { kind: 'match', ...base, ...answer, operator, selector, met, literal };
  };
}

/** What a path leads to, null where following it fails. */
function follow(read: Reader, row: unknown): { readonly value: unknown } | null {
  try {
    return { value: read(row) };
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

function meet(value: unknown, type: Type | null, { unknown }: Place): MetValue {
  if (value === ABSENT) return absentValue;
  return value === UNKNOWN ? describeMet(unknown?.[0], null) : describeMet(value, type);
}

/** The answer of a test, or the error that it ended with. */
function attempt(test: () => boolean): Pick<Explanation, 'holds' | 'error'> {
  try {
    return { holds: test(), error: null };
  } catch (error) {
    if (error instanceof FilterError) return { holds: null, error };
    throw error;
  }
}

/** What a run over a collection has come to so far. */
interface Recording {
  examined: number;
  decisive: ElementExplanation | null;
  readonly first: ElementExplanation[];
}

function observeCollection(node: CollectionExpression, place: Place): Observer {
  const selector = compileSelector(place, node.selector);
  const cell = createCell(selector.path);
  const deciding = node.kind === 'any';
  let recording: Recording = startRecording();
  const { analysis } = place;
  const compileBody = (within: Analysis): Predicate => {
    const watch = observe(node.body, { ...place, cells: [...place.cells, cell], analysis: within });
    const body: Predicate = (row) => {
      const told = { key: cell.key, body: watch(row) };
      recording.examined += 1;
      if (told.body.error !== null || told.body.holds === deciding) recording.decisive = told;
      else if (recording.first.length < mostElements) recording.first.push(told);
      if (told.body.error !== null) throw told.body.error;
      return told.body.holds === true;
    };
    return body;
  };
  const unknown =
    place.unknown === null
      ? null
      : { value: place.unknown[0], body: lazily(() => compileBody(analysis.openBody(node))) };
  const body = compileBody(analysis.body(node));
  const { policy } = place;
  const run = compileCollection({
    expression: node,
    selector,
    cell,
    body,
    policy,
    fare: fareOf(node, place),
    unknown,
  });
  const base = { ...describe(node, place), isNeeded: true, selector: print(node.selector) };
  return (row) => {
    const outer = recording;
    recording = startRecording();
    try {
      const found = follow(selector.read, row);
      const met = found === null ? null : meet(found.value, selector.type, place);
      const answer = attempt(() => run(row));
      const { examined, decisive, first } = recording;
      const elements = decisive === null ? first : [decisive];
      return { kind: node.kind, ...base, ...answer, met, examined, elements };
    } finally {
      recording = outer;
    }
  };
}

function startRecording(): Recording {
  return { examined: 0, decisive: null, first: [] };
}
