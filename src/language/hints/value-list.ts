import { expects, replaceHere, replace, type Hint, type HintRule, type HintContext } from './hint.js';
import { selectorAtEnd } from './loose-syntax.js';

// Lists of values at level 0, which has none.

const item = /^\s*(?:"([^"\\\n]*)"|'([^'"\\\n]*)'|(-?[\w/][\w\-/.:@]*))\s*(,|$)/;

/** Returns the items of a bracketed list as literals; null if it contains anything else. */
function readItems(text: string): string[] | null {
  const items: string[] = [];
  for (let rest = text; rest !== '';) {
    const match = item.exec(rest);
    if (match === null || items.length > 100) return null;
    const bare = match[3];
    const isPlain = bare !== undefined && /^(?:[a-zA-Z][\w/]*|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(bare);
    items.push(isPlain ? bare : `"${match[1] ?? match[2] ?? bare ?? ''}"`);
    rest = rest.slice(match[0].length);
  }
  return items;
}

const tests: ReadonlyMap<string, { readonly operator: string; readonly joiner: string }> = new Map([
  ['in', { operator: '==', joiner: 'or' }],
  ['not in', { operator: '!=', joiner: 'and' }],
  ['==', { operator: '==', joiner: 'or' }],
  ['!=', { operator: '!=', joiner: 'and' }],
  ['contains', { operator: 'contains', joiner: 'and' }],
  ['not contains', { operator: 'not contains', joiner: 'and' }],
]);

/** `Status in ["running", "pending"]`: a list instead of a single value. */
export const listOfValues: HintRule = (context) => {
  const hint =
    context.level > 0
      ? 'Write a list of values in brackets: Status in ["running", "dead"].'
      : 'There are no lists of values. Write one comparison for each and join them with `or`.';
  const word = /^(?:is\s+)?(?:(?:not\s+)?in|NOT\s+IN|IN|one\s+of|any\s+of)\s*(?=[[({])/i.exec(
    context.rest,
  )?.[0];
  if (expects(context, 'operator', 'property', 'negatable', 'negatedProperty') && word !== undefined) {
    const lead = /(?:\bis\s+)?(?:\bnot\s+)?$/i.exec(context.before)?.[0] ?? '';
    const { start } = context.failure.span;
    const not = /not/i.test(lead + word) ? 'not ' : '';
    const operator = `${not}in `;
    const at = start + word.length;
    const moved = {
      ...context,
      failure: { ...context.failure, expected: 'container' as const, span: { start: at, end: at } },
      rest: context.rest.slice(word.length),
      before: context.before.slice(0, context.before.length - lead.length) + operator,
    };
    return listAt(moved, hint, lead.length + word.length - operator.length);
  }
  if (!expects(context, 'value', 'container') || !/^[[({]/.test(context.rest)) return null;
  return listAt(context, hint, 0);
};

/** Returns the hint for a list. `longer`: how much longer the operator is in the source than in the normalised head. */
function listAt(context: HintContext, hint: string, longer: number): Hint | null {
  const bracketed = /^(?:\[([^\][]*)\]|\(([^()]*)\)|\{([^{}]*)\})/.exec(context.rest);
  const head = /(==|!=|\bnot\s+in|\bin|\bnot\s+contains|\bcontains)\s*$/.exec(context.before);
  if (bracketed === null || head === null) return { hint };
  // There is no list form of `contains` at any level.
  if (/contains$/.test(head[1] ?? ''))
    hint =
      'A comparison takes one value. Write one comparison for each value and join them with "and" or "or".';
  const inside = bracketed[1] ?? bracketed[2] ?? bracketed[3] ?? '';
  return (
    inParentheses(context, inside, head, bracketed) ??
    withNull(context, inside, head, bracketed, longer) ??
    spelledOut(context, inside, head, bracketed, hint, longer)
  );
}

/** `Owner in ("ann", null)`: a value or null. */
function withNull(
  context: HintContext,
  inside: string,
  head: RegExpExecArray,
  all: RegExpExecArray,
  longer: number,
): Hint | null {
  const items = readItems(inside);
  const selector = selectorAtEnd.exec(context.before.slice(0, head.index))?.[0];
  const isIn = /in$/.test(head[1] ?? '');
  if (items === null || selector === undefined || !isIn || !items.some((each) => nullWord.test(each)))
    return null;
  const hint = 'A list cannot contain null; add a comparison with `is nil`.';
  const values = items.filter((each) => !nullWord.test(each));
  if (context.level === 0 || values.length === 0) return { hint };
  const name = selector.trim();
  const text = /not/.test(head[1] ?? '')
    ? `(${name} not in [${values.join(', ')}] and ${name} is not nil)`
    : `(${name} in [${values.join(', ')}] or ${name} is nil)`;
  const { start } = context.failure.span;
  const from = start - (context.before.length - head.index) - name.length - 1 - longer;
  return { hint, suggestions: replace(`write ${text}`, from, start + all[0].length, text) };
}

const nullWord = /^(?:null|nil|none|undefined)$/i;

/** `"x" in (Tags)`: a field in parentheses, which are not allowed there. */
function inParentheses(
  context: HintContext,
  inside: string,
  head: RegExpExecArray,
  all: RegExpExecArray,
): Hint | null {
  if (!/in$/.test(head[1] ?? '') || !all[0].startsWith('(') || !/^\s*[a-zA-Z][\w/.]*\s*$/.test(inside))
    return null;
  // `Status in (running)` is a list of one value, unless the name in parentheses is the field.
  const isQuoted = /["`]\s*$/.test(context.before.slice(0, head.index));
  const isField = context.fields !== null && context.fields.kindAt(inside.trim().split('.')) !== null;
  if (!isQuoted && !isField) return null;
  const gap = /\s$/.test(head[0]) ? '' : ' ';
  return replaceHere(
    context,
    all[0].length,
    gap + inside.trim(),
    'Write the field after `in` without parentheses.',
  );
}

function spelledOut(
  context: HintContext,
  inside: string,
  head: RegExpExecArray,
  all: RegExpExecArray,
  hint: string,
  longer: number,
): Hint {
  const { start } = context.failure.span;
  const end = start + all[0].length;
  const items = readItems(inside);
  const selector = selectorAtEnd.exec(context.before.slice(0, head.index));
  const test = tests.get((head[1] ?? '').replace(/\s+/g, ' '));
  if (items === null && /^[\w\-=:.@/ ]+$/.test(inside)) {
    return { hint, suggestions: replace('write it as one string', start, end, `"${inside}"`) };
  }
  if (items === null || items.length === 0 || selector === null || test === undefined) return { hint };
  const from = start - (context.before.length - selector.index) - longer;
  if (context.level > 0 && !/contains$/.test(test.operator)) {
    const text = `${selector[1] ?? ''} ${test.operator === '==' ? 'in' : 'not in'} [${items.join(', ')}]`;
    return { hint, suggestions: replace('write a list in brackets', from, end, text) };
  }
  const each = items.map((value) => `${selector[1] ?? ''} ${test.operator} ${value}`);
  const text = each.length === 1 ? (each[0] ?? '') : `(${each.join(` ${test.joiner} `)})`;
  return { hint, suggestions: replace('write one comparison for each', from, end, text) };
}
