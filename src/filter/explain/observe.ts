import { compileCollection } from '../compile/collection.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import { compileSelector } from '../compile/reader.js';
import {
  type AndExpression,
  type CollectionExpression,
  type Expression,
  type NotExpression,
  type OrExpression,
} from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import type { ElementExplanation, Explanation } from './explanation.js';
import { attempt, describe, follow, meet, observeMatch, unrelated } from './observe-match.js';

/** Evaluates a part for a row and reports what happened. */
export type Observer = (row: unknown) => Explanation;

/** Maximum number of elements reported if none of them decided. */
const maxElements = 3;

/**
 * Compiles an expression to observers. They call the closures of the filter, so explanations are exact. Only the order of
 * evaluation is implemented a second time.
 */
export function observe(node: Expression, context: CompileContext): Observer {
  switch (node.kind) {
    case 'and':
    case 'or':
      return observeJunction(node, context);
    case 'not':
      return observeNegation(node, context);
    case 'match':
      return observeMatch(node, context);
    case 'any':
    case 'all':
      return observeCollection(node, context);
  }
}

const unneeded = { matches: null, isNeeded: false, error: null } as const;

/** Returns the explanation of a part that was not evaluated. */
function skipped(node: Expression, context: CompileContext): Explanation {
  const base = { ...describe(node, context), ...unneeded };
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, ...base, operands: node.operands.map((each) => skipped(each, context)) };
    case 'not':
      return { kind: 'not', ...base, operand: skipped(node.operand, context) };
    case 'match': {
      const { operator, selector } = node;
      return { kind: 'match', ...base, operator, selector: print(selector), observed: null, ...unrelated };
    }
    default:
      return {
        kind: node.kind,
        ...base,
        selector: print(node.selector),
        observed: null,
        examined: 0,
        elements: [],
      };
  }
}

function observeJunction(node: AndExpression | OrExpression, context: CompileContext): Observer {
  const { kind, operands } = node;
  const deciding = kind === 'or';
  const parts = operands.map((each) => ({ evaluate: observe(each, context), rest: skipped(each, context) }));
  const base = describe(node, context);
  return (row) => {
    const result: Explanation[] = [];
    let decisive: Explanation | null = null as Explanation | null;
    for (const { evaluate, rest } of parts) {
      const each: Explanation = decisive === null ? evaluate(row) : rest;
      result.push(each);
      if (decisive === null && (each.error !== null || each.matches === deciding)) decisive = each;
    }
    const error = decisive?.error ?? null;
    const matches = error === null ? (decisive !== null) === deciding : null;
    return { kind, ...base, matches, isNeeded: true, error, operands: result };
  };
}

function observeNegation(node: NotExpression, context: CompileContext): Observer {
  const evaluate = observe(node.operand, context);
  const base = describe(node, context);
  return (row) => {
    const operand = evaluate(row);
    const matches = operand.matches === null ? null : !operand.matches;
    return { kind: 'not', ...base, matches, isNeeded: true, error: operand.error, operand };
  };
}

/** The state of recording a walk over a collection. */
interface Recording {
  examined: number;
  decisive: ElementExplanation | null;
  readonly first: ElementExplanation[];
}

function observeCollection(node: CollectionExpression, context: CompileContext): Observer {
  const selector = compileSelector(context, node.selector);
  const deciding = node.kind === 'any';
  let recording: Recording = startRecording();
  const run = compileCollection(node, context, (inside, cell) => {
    const evaluate = observe(node.body, inside);
    return (row) => {
      const result = { key: cell.key, body: evaluate(row) };
      recording.examined += 1;
      if (result.body.error !== null || result.body.matches === deciding) recording.decisive = result;
      else if (recording.first.length < maxElements) recording.first.push(result);
      if (result.body.error !== null) throw result.body.error;
      return result.body.matches === true;
    };
  });
  const base = { ...describe(node, context), isNeeded: true, selector: print(node.selector) };
  return (row) => {
    const outer = recording;
    recording = startRecording();
    try {
      const found = follow(selector.read, row);
      const observed = found === null ? null : meet(found.value, selector.type, context);
      const result = attempt(() => run(row));
      const { examined, decisive, first } = recording;
      const elements = decisive === null ? first : [decisive];
      return { kind: node.kind, ...base, ...result, observed, examined, elements };
    } finally {
      recording = outer;
    }
  };
}

function startRecording(): Recording {
  return { examined: 0, decisive: null, first: [] };
}
