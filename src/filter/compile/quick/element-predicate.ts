import type { Predicate } from '../frame/predicate.js';
import { isPlain } from './check.js';
import type { QuickExpression, QuickMatch, QuickName, QuickPair, QuickWalk, Settle } from './expression.js';

/** A quick expression asked about one row or element at a time. */
export function createElementPredicate(node: QuickExpression): Predicate {
  switch (node.kind) {
    case 'and': {
      const operands = node.operands.map(createElementPredicate);
      return (holder) => operands.every((operand) => operand(holder));
    }
    case 'or': {
      const operands = node.operands.map(createElementPredicate);
      return (holder) => operands.some((operand) => operand(holder));
    }
    case 'not': {
      const operand = createElementPredicate(node.operand);
      return (holder) => !operand(holder);
    }
    case 'careful':
      return node.test;
    case 'match':
      return matchPredicate(node);
    case 'pair':
      return pairPredicate(node);
    default:
      return walkPredicate(node);
  }
}

function matchPredicate({ path, check, isNegated, settle }: QuickMatch): Predicate {
  const test = check.template.test(check.operands);
  return readThen(path, settle, (value) => {
    const holds = test(value);
    return holds === undefined ? undefined : holds !== isNegated;
  });
}

function pairPredicate({ names: [name, other], check, isNegated, settle }: QuickPair): Predicate {
  const test = check.template.test(check.operands);
  const [first, second] = [name.text, other.text];
  return (holder) => {
    const value = (holder as Holder | null | undefined)?.[first];
    const beside = (holder as Holder | null | undefined)?.[second];
    const holds = test(value, beside);
    return holds === undefined ? settle(holder, [value, beside]) : holds !== isNegated;
  };
}

function walkPredicate(node: QuickWalk): Predicate {
  const { path, maxLength, settle } = node;
  const walk = createListWalk(node);
  return readThen(path, settle, (list) =>
    Array.isArray(list) && list.length <= maxLength ? walk(list) : undefined,
  );
}

/** The walk over a list that is short enough. */
export function createListWalk({ kind, body, position }: QuickWalk): (list: readonly unknown[]) => boolean {
  const holds = createElementPredicate(body);
  const deciding = kind === 'any';
  return (list) => {
    const { length } = list;
    // An element may ask the filter itself.
    const { key } = position;
    try {
      for (let at = 0; at < length; at += 1) {
        const element = list[at];
        position.key = at;
        if (holds(element) === deciding) return deciding;
      }
      return !deciding;
    } finally {
      position.key = key;
    }
  };
}

/** Reads a path, and leaves to `settle` what `answer` has no answer for. */
function readThen(
  path: readonly QuickName[],
  settle: Settle,
  result: (value: unknown) => boolean | undefined,
): Predicate {
  const [first] = path;
  if (first === undefined) return (holder) => result(holder) ?? settle(holder, []);
  if (path.length === 1 && first.guard === null) {
    const { text } = first;
    return (holder) => {
      const value = (holder as Holder | null | undefined)?.[text];
      return result(value) ?? settle(holder, [value]);
    };
  }
  return (holder) => {
    const read = readPath(path, holder);
    const value = read[path.length - 1];
    return (read.length === path.length ? result(value) : undefined) ?? settle(holder, read);
  };
}

interface Holder {
  readonly [name: string]: unknown;
}

function readPath(path: readonly QuickName[], row: unknown): readonly unknown[] {
  const read: unknown[] = [];
  let holder = row;
  for (const { text, guard } of path) {
    if (guard === 'plain' && !(typeof holder === 'object' && holder !== null && isPlain(holder))) return read;
    if (guard === 'no function' && typeof holder === 'function') return read;
    holder = (holder as Holder | null | undefined)?.[text];
    read.push(holder);
  }
  return read;
}
