import type { Predicate } from '../frame/predicate.js';
import { isPlain } from './check.js';
import type { QuickExpression, QuickMatch, QuickName, QuickPair, QuickWalk, Settle } from './expression.js';

/** Creates a predicate that evaluates a quick expression for one row or element at a time. */
export function createElementPredicate(node: QuickExpression): Predicate {
  switch (node.kind) {
    case 'and': {
      const operands = node.operands.map(createElementPredicate);
      return (parent) => operands.every((operand) => operand(parent));
    }
    case 'or': {
      const operands = node.operands.map(createElementPredicate);
      return (parent) => operands.some((operand) => operand(parent));
    }
    case 'not': {
      const operand = createElementPredicate(node.operand);
      return (parent) => !operand(parent);
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
    const matches = test(value);
    return matches === undefined ? undefined : matches !== isNegated;
  });
}

function pairPredicate({ names: [name, other], check, isNegated, settle }: QuickPair): Predicate {
  const test = check.template.test(check.operands);
  const [first, second] = [name.text, other.text];
  return (parent) => {
    const value = (parent as Container | null | undefined)?.[first];
    const otherValue = (parent as Container | null | undefined)?.[second];
    const matches = test(value, otherValue);
    return matches === undefined ? settle(parent, [value, otherValue]) : matches !== isNegated;
  };
}

function walkPredicate(node: QuickWalk): Predicate {
  const { path, maxLength, settle } = node;
  const walk = createListWalk(node);
  return readThen(path, settle, (list) =>
    Array.isArray(list) && list.length <= maxLength ? walk(list) : undefined,
  );
}

/** Creates the walk over lists of at most `maxLength` elements. */
export function createListWalk({ kind, body, position }: QuickWalk): (list: readonly unknown[]) => boolean {
  const matches = createElementPredicate(body);
  const deciding = kind === 'any';
  return (list) => {
    const { length } = list;
    // A getter of an element may evaluate the filter again, which changes the position.
    const { key } = position;
    try {
      for (let at = 0; at < length; at += 1) {
        const element = list[at];
        position.key = at;
        if (matches(element) === deciding) return deciding;
      }
      return !deciding;
    } finally {
      position.key = key;
    }
  };
}

/** Reads a path, and calls `settle` for values without a quick result. */
function readThen(
  path: readonly QuickName[],
  settle: Settle,
  result: (value: unknown) => boolean | undefined,
): Predicate {
  const [first] = path;
  if (first === undefined) return (parent) => result(parent) ?? settle(parent, []);
  if (path.length === 1 && first.guard === null) {
    const { text } = first;
    return (parent) => {
      const value = (parent as Container | null | undefined)?.[text];
      return result(value) ?? settle(parent, [value]);
    };
  }
  return (parent) => {
    const read = readPath(path, parent);
    const value = read[path.length - 1];
    return (read.length === path.length ? result(value) : undefined) ?? settle(parent, read);
  };
}

interface Container {
  readonly [name: string]: unknown;
}

function readPath(path: readonly QuickName[], row: unknown): readonly unknown[] {
  const read: unknown[] = [];
  let parent = row;
  for (const { text, guard } of path) {
    if (guard === 'plain' && !(typeof parent === 'object' && parent !== null && isPlain(parent))) return read;
    if (guard === 'no function' && typeof parent === 'function') return read;
    parent = (parent as Container | null | undefined)?.[text];
    read.push(parent);
  }
  return read;
}
