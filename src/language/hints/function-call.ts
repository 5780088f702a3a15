import { keywordOf } from '../syntax/tokens.js';
import { expects, guesses, replace, rewrite, type Hint, type HintRule, type HintContext } from './hint.js';
import {
  closingEnd,
  escapePattern,
  quoteText,
  readLiteral,
  readSelector,
  readSlashed,
  selectorPattern,
  splitList,
  writeLiteral,
} from './loose-syntax.js';
import type { Level } from '../syntax/dialect.js';
import { prefixTest, suffixTest } from './loose-syntax.js';
import { infixPattern, noFunctions } from './operator-spelling.js';

// Functions and methods of other languages. The language has no calls; most have an equivalent operator.

/** A call as written in the source: `receiver.name(items)`. */
interface Call {
  readonly start: number;
  readonly end: number;
  /** The name of the function, in lower case and without underscores. */
  readonly name: string;
  /** The receiver of a method call, as written; null for a function. */
  readonly receiver: string | null;
  readonly items: readonly string[];
  /** The source between the parentheses. */
  readonly inside: string;
}

/** Maximum length of a call that is scanned. */
const maxCallLength = 500;

const noSizes = 'Sizes cannot be compared; use is empty or is not empty.';

const callee = new RegExp(`(?:(${selectorPattern})\\??\\.)?([a-zA-Z]\\w*)\\s*$`);

/** Returns the call whose opening parenthesis the parser rejected. */
function callAt(context: HintContext): Call | null {
  if (!context.rest.startsWith('(')) return null;
  const head = callee.exec(context.before);
  if (head === null) return null;
  const open = context.failure.span.start;
  const end = closingEnd(context.source.slice(0, open + maxCallLength), open);
  if (end === -1) return null;
  const inside = context.source.slice(open + 1, end - 1);
  return {
    start: open - head[0].length,
    end,
    name: (head[2] ?? '').replaceAll('_', '').toLowerCase(),
    receiver: head[1] ?? null,
    items: splitList(inside),
    inside,
  };
}

const textTests: readonly { readonly names: RegExp; test(text: string, level: Level): string }[] = [
  { names: /^(?:i?startswith|beginswith|hasprefix|prefix)$/, test: prefixTest },
  { names: /^(?:i?endswith|hassuffix|suffix)$/, test: suffixTest },
  {
    names: /^(?:contains?|includes?|has|instr|index|inside|indexof|strpos|charindex|inarray|arraycontains)$/,
    test: (text) => `contains ${writeLiteral(text)}`,
  },
  {
    names:
      /^(?:matche?s?|test|search|findall|fullmatch|isregexmatch|regexpmatche?s?|regexpmatch|regexplike|regexmatch|regex|regexp|rlike)$/,
    test: (text) => `matches ${quoteText(text)}`,
  },
  { names: /^(?:equals?|eq|is)$/, test: (text) => `== ${writeLiteral(text)}` },
  { names: /^(?:notequals?|ne|neq)$/, test: (text) => `!= ${writeLiteral(text)}` },
  {
    names: /^(?:equalsignorecase|equalfold|iequals?)$/,
    test: (text, level) =>
      level > 0 ? `== ${quoteText(text)}i` : `matches ${quoteText(`(?i)^${escapePattern(text)}$`)}`,
  },
];

/** Returns the field and the string among the arguments of a call, whatever their order. */
function operandsOf({ receiver, items }: Call): { selector: string; text: string } | null {
  const [first, second] = receiver === null ? items : [receiver, ...items];
  if (first === undefined || second === undefined || items.length > 2) return null;
  const isField = (item: string): boolean => !/^["'`\d/-]/.test(item) && readSelector(item) !== null;
  const [field, value] = isField(first) ? [first, second] : [second, first];
  const selector = isField(field) ? readSelector(field) : null;
  const slashed = readSlashed(value);
  const text = slashed?.length === value.length ? slashed.pattern : readLiteral(value);
  return selector === null || text === null ? null : { selector, text };
}

/** Matches what may follow a call that returns a boolean: nothing, or a comparison with a boolean or an index. */
const truth = /^\s*(?:(===?|!==?|=)\s*(true|false)|(>=|>|!==?)\s*(-1|0))(?![\w.])/i;

/** `contains(Name, "web")`, `Name.startsWith("web")`, `re.match("^web", Name)`. */
const textCall: HintRule = (context) => {
  const call = callAt(context);
  const known = call === null ? undefined : textTests.find(({ names }) => names.test(call.name));
  if (call === null || known === undefined) return null;
  const operands = operandsOf(
    /^(?:re|regexp|strings|String|str|_)$/.test(call.receiver ?? '') ? { ...call, receiver: null } : call,
  );
  const hint = noFunctions(context.level);
  if (operands === null) return { hint };
  const tail = truth.exec(context.source.slice(call.end));
  const isPosition = tail?.[3] !== undefined;
  if (isPosition !== /^(?:indexof|strpos|charindex|instr|search)$/.test(call.name) && tail !== null)
    return { hint };
  const negated = tail?.[1] !== undefined && /^!/.test(tail[1]) !== (tail[2]?.toLowerCase() === 'false');
  const text = `${operands.selector} ${known.test(operands.text, context.level)}`;
  return rewriteCall(context, call, negated ? `not ${text}` : text, tail?.[0].length ?? 0, hint);
};

function rewriteCall(context: HintContext, call: Call, text: string, tail: number, hint: string): Hint {
  const end = call.end + tail;
  // A word needs a space if it would otherwise join the next one.
  const gap = /\w/.test(context.source.charAt(end)) ? ' ' : '';
  return { hint, suggestions: replace(`write ${text}`, call.start, end, text + gap) };
}

const sizeNames = /^(?:len|length|size|count|charlength|cardinality|arraylength)$/;

/** `len(Tags) > 0`: a size can only be tested for empty or non-empty. */
const sizeCall: HintRule = (context) => {
  const call = callAt(context);
  if (call === null || !sizeNames.test(call.name)) return null;
  const measured = call.receiver === null ? call.items : [call.receiver];
  const selector = measured.length === 1 ? readSelector(measured[0] ?? '') : null;
  const tail = /^\s*(===?|!==?|=|<>|[<>]=?)\s*([0-9]+)(?![\w.])/.exec(context.source.slice(call.end));
  if (context.level > 0) {
    const hint = 'Use len for sizes: len(Tags) > 3.';
    if (selector === null || tail === null) return { hint };
    const sign = (tail[1] ?? '').replace(/^=+$/, '==').replace(/^!==$|^<>$/, '!=');
    return rewriteCall(context, call, `len(${selector}) ${sign} ${tail[2] ?? ''}`, tail[0].length, hint);
  }
  const test = tail === null ? null : emptiness(tail[1] ?? '', tail[2] ?? '');
  if (selector === null || tail === null || test === null) return { hint: noSizes };
  return rewriteCall(context, call, `${selector} ${test}`, tail[0].length, noSizes);
};

/** Returns the emptiness test equivalent to comparing a size with a number; null if none exists. */
export function emptiness(operator: string, count: string): 'is empty' | 'is not empty' | null {
  const sign = operator.replace(/^=+$/, '==').replace(/^!==$|^<>$/, '!=');
  const key = `${sign} ${count}`;
  if (key === '== 0' || key === '< 1' || key === '<= 0') return 'is empty';
  return key === '!= 0' || key === '> 0' || key === '>= 1' ? 'is not empty' : null;
}

/** `Name.toLowerCase() == "web"`: a pattern can ignore case. */
const caseCall: HintRule = (context) => {
  const call = callAt(context);
  if (
    call === null ||
    !/^(?:to)?(?:lower|upper)(?:case)?$|^[lu]case$|^casefold$|^ascii(?:lower|upper)case$/.test(call.name)
  )
    return null;
  const hint =
    context.level > 0
      ? 'There is no such function. To ignore case, append i to the string: Name == "web"i.'
      : 'There are no functions. To ignore case, begin a pattern with (?i): Name matches "(?i)^web$".';
  const isPackage = call.receiver !== null && /^(?:strings|String|string)$/.test(call.receiver);
  const written = call.receiver === null || isPackage ? call.items[0] : call.receiver;
  const selector = written === undefined ? null : readSelector(written);
  const rest = context.source.slice(call.end, call.end + maxCallLength);
  const compared = /^\s*(===?|!==?|=|<>)\s*("[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[a-zA-Z][\w.]*)(?!\s*\()/.exec(
    rest,
  );
  const searched =
    /^\s*(?:\.(includes|contains|startsWith|startswith|endsWith|endswith)\(\s*("[^"\n]*"|'[^'\n]*')\s*\)|\s(contains)\s+("[^"\n]*"|'[^'\n]*'|\w+))/.exec(
      rest,
    );
  if (selector === null) return { hint };
  const way = (searched?.[1] ?? searched?.[3] ?? '').toLowerCase();
  const text = readLiteral(compared?.[2] ?? searched?.[2] ?? searched?.[4] ?? '');
  if (text === null) return { hint };
  const body = escapePattern(text);
  const start = compared !== null || way.startsWith('starts') ? '^' : '';
  const end = compared !== null || way.startsWith('ends') ? '$' : '';
  const not = /^[!<]/.test(compared?.[1] ?? '') ? 'not ' : '';
  const operator = start === '' ? (end === '' ? 'contains' : 'ends with') : end === '' ? 'starts with' : '==';
  const plain = not === '' || operator !== '==' ? `${not}${operator}` : '!=';
  const test =
    context.level > 0
      ? `${selector} ${plain} ${quoteText(text)}i`
      : `${selector} ${not}matches ${quoteText(`(?i)${start}${body}${end}`)}`;
  return rewriteCall(context, call, test, (compared ?? searched)?.[0].length ?? 0, hint);
};

/** `isEmpty(Tags)`, `Meta.owner.exists()`, `has(Meta.owner)`. */
const stateCall: HintRule = (context) => {
  const call = callAt(context);
  const test = call === null ? undefined : stateTests.find(([names]) => names.test(call.name))?.[1];
  if (call === null || test === undefined) return null;
  const operands = call.receiver === null ? call.items : call.items.length === 0 ? [call.receiver] : [];
  const selector = operands.length === 1 ? readSelector(operands[0] ?? '') : null;
  if (selector === null) return null;
  return rewriteCall(context, call, `${selector} ${test}`, 0, noFunctions(context.level));
};

const stateTests: readonly (readonly [RegExp, string])[] = [
  [/^(?:isempty|empty|isblank|isnullorempty)$/, 'is empty'],
  [/^(?:isnotempty|notempty|exists?|has|defined|isset|isdefined|ispresent)$/, 'is not empty'],
  [/^(?:isnull|isnil|isnone|isundefined)$/, 'is nil'],
  [/^(?:isnotnull|notnull)$/, 'is not nil'],
];

const quantifiers: ReadonlyMap<string, string> = new Map([
  ['any', 'any'],
  ['some', 'any'],
  ['exists', 'any'],
  ['find', 'any'],
  ['anymatch', 'any'],
  ['all', 'all'],
  ['every', 'all'],
  ['allmatch', 'all'],
  ['none', 'not any'],
  ['nonematch', 'not any'],
]);

/** `any(Tags, t => t == "x")`, `Tags.some((t) => ...)`, `Tags.exists(t, ...)`, `any(t == "x" for t in Tags)`. */
const quantifierCall: HintRule = (context) => {
  const call = callAt(context);
  const kind = call === null ? undefined : quantifiers.get(call.name);
  if (call === null || kind === undefined) return null;
  const hint = 'Test some or all elements with any or all: any Tags as t { t == "x" }.';
  const parts = quantified(call);
  if (parts === null) return { hint };
  const { list, name, body } = parts;
  const collection = `${kind.replace('not ', '')} ${list} as ${name} { ${body} }`;
  const text = kind.startsWith('not') ? `not (${collection})` : collection;
  const isAlone =
    context.source.slice(0, call.start).trim() === '' && context.source.slice(call.end).trim() === '';
  const replacement = isAlone ? text : `(${text})`;
  return { hint, isSweeping: true, suggestions: replace(`write ${text}`, call.start, call.end, replacement) };
};

function quantified(call: Call): { list: string; name: string; body: string } | null {
  const comprehension = /^([\s\S]+?)\s+for\s+([a-zA-Z]\w*)\s+in\s+([\s\S]+)$/.exec(call.inside);
  if (comprehension !== null && call.receiver === null) {
    const list = readSelector(comprehension[3] ?? '');
    return list === null
      ? null
      : { list, name: comprehension[2] ?? '', body: (comprehension[1] ?? '').trim() };
  }
  const [first = '', ...others] = call.items;
  const written = call.receiver ?? first;
  const list = readSelector(written);
  const given = call.receiver === null ? others.join(', ') : call.items.join(', ');
  const arrow = /^\(?\s*([a-zA-Z]\w*)\s*\)?\s*(?:=>|->|,|:)\s*([\s\S]+)$/.exec(
    given.replace(/^lambda\s+/, ''),
  );
  if (list === null || arrow === null) return null;
  const body = (arrow[2] ?? '').trim().replace(/^\{\s*return\s+([\s\S]*?);?\s*\}$/, '$1');
  return { list, name: arrow[1] ?? '', body };
}

/** Functions without an equivalent. */
const otherCall: HintRule = (context) => {
  const call = callAt(context);
  if (call === null || keywordOf(call.name) !== undefined || /^(?:where|select|filter|grep)$/.test(call.name))
    return null;
  const [only, ...more] = call.receiver === null ? call.items : [call.receiver, ...call.items];
  const selector = only === undefined || more.length > 0 ? null : readSelector(only);
  if (selector === null) return { hint: noFunctions(context.level) };
  const title = `write ${selector} alone`;
  return {
    hint: noFunctions(context.level),
    suggestions: guesses(replace(title, call.start, call.end, selector)),
  };
};

const inOperators: readonly HintRule[] = [stateCall, textCall, sizeCall, caseCall, quantifierCall, otherCall];

const negatedInfix = new RegExp(String.raw`(?:^|[\s(!{])not\s+(?:${infixPattern})\s*$`);

/** A word and a parenthesis where an operator is expected; the parser reports `not contains(` and `any (` differently. */
export const calls: HintRule = (context) => {
  if (!context.rest.startsWith('(')) return null;
  const isCall =
    expects(context, 'operator') ||
    (expects(context, 'value') && negatedInfix.test(context.before)) ||
    (expects(context, 'selector') && /(?:^|[\s(!{])(?:any|all)\s*$/.test(context.before));
  if (!isCall) return null;
  for (const rule of inOperators) {
    const hint = rule(context);
    if (hint !== null) return hint;
  }
  return null;
};

/** `/^web/.test(Name)`, `["a", "b"].includes(Status)`: methods of literals. */
export const literalCall: HintRule = (context) => {
  if (!expects(context, 'operand', 'membership', 'operator')) return null;
  const slashed = readSlashed(context.rest);
  if (slashed !== null) {
    const call = /^\.test\(\s*([^()]+?)\s*\)/.exec(context.rest.slice(slashed.length));
    const selector = readSelector(call?.[1] ?? '');
    if (call === null || selector === null) return null;
    const text = `${selector} matches ${quoteText(slashed.pattern)}`;
    return rewrite(context, noFunctions(context.level), text, 0, slashed.length + call[0].length);
  }
  const list = /^\[([^\][]*)\]\.(?:includes|contains|has)\(\s*([^()]+?)\s*\)/.exec(context.rest);
  const selector = readSelector(list?.[2] ?? '');
  if (list === null || selector === null) return null;
  const values = splitList(list[1] ?? '').map(readLiteral);
  if (values.length === 0) return null;
  const literals = values.map((value) => writeLiteral(value ?? ''));
  const tests = literals.map((literal) => `${selector} == ${literal}`);
  const spelled = tests.length === 1 ? (tests[0] ?? '') : `(${tests.join(' or ')})`;
  const text = context.level > 0 ? `${selector} in [${literals.join(', ')}]` : spelled;
  return rewrite(context, noFunctions(context.level), text, 0, list[0].length);
};
