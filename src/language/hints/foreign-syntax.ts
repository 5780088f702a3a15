import {
  afterOperand,
  expects,
  gapBefore,
  replaceHere,
  replace,
  rewrite,
  type Hint,
  type HintRule,
  type HintContext,
} from './hint.js';
import { readLiteral, writeLiteral, selectorAtEnd } from './loose-syntax.js';
import { listOfValues } from './value-list.js';
import { like, phrase, isNot, range, notValue, emptyThing, prefixedLiteral } from './operator-wording.js';
import { noFunctions, operatorWordPattern } from './operator-spelling.js';

// Syntax of SQL, programming languages and other filter languages.

const wordsFor: ReadonlyMap<string, string> = new Map([
  ['equals', '=='],
  ['equal', '=='],
  ['eq', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['has', 'contains'],
  ['includes', 'contains'],
  ['include', 'contains'],
  ['contain', 'contains'],
  ['match', 'matches'],
  ['isnt', 'is not'],
]);

/** Operators spelled as in other languages: `eq`, `has`, a colon. */
const spelling: HintRule = (context) => {
  if (!expects(context, 'operator')) return null;
  const dashed = /^-(eq|ne|i?like|i?match|i?contains|notlike|notmatch)(?![\w-])/i.exec(context.rest);
  if (dashed !== null) {
    const word = /^(?:eq)$/i.test(dashed[1] ?? '')
      ? '=='
      : /^ne$/i.test(dashed[1] ?? '')
        ? '!='
        : (dashed[1] ?? '')
            .toLowerCase()
            .replace(/^i/, '')
            .replace(/^not/, 'not ')
            .replace(/match$/, 'matches');
    return replaceHere(context, dashed[0].length, word, `Write this operator as ${word}.`);
  }
  const word = /^[a-zA-Z]+(?![\w/.])/.exec(context.rest)?.[0];
  const known = wordsFor.get(word?.toLowerCase() ?? '');
  if (word !== undefined && known !== undefined) {
    return replaceHere(context, word.length, known, `Write this operator as ${known}.`);
  }
  return colon(context);
};

/** Returns the hint for a colon as an operator: `Status: running`, `Status:(running OR dead)`, `Name:*`. */
function colon(context: HintContext): Hint | null {
  const hint = 'Use == for equality.';
  const group = /^:\s*\(([^()]*)\)/.exec(context.rest);
  const selector = selectorAtEnd.exec(context.before);
  if (group !== null && selector !== null) {
    const values = (group[1] ?? '').split(/\s+(?:OR|or)\s+|\s*\|\|\s*/).map((each) => readLiteral(each));
    if (values.includes(null)) return { hint };
    const text = `(${values.map((value) => `${selector[1] ?? ''} == ${writeLiteral(value ?? '')}`).join(' or ')})`;
    return rewrite(context, hint, text, selector[0].length, group[0].length);
  }
  const anything = /^:\s*\*(?![\w*])/.exec(context.rest)?.[0];
  if (anything !== undefined)
    return replaceHere(context, anything.length, ' is not empty', 'To test for a value, use is not empty.');
  if (/^:\s*(?:[[{]|[<>])/.test(context.rest)) return colonRange(context, selector);
  const sign = /^:\s*(?=["'`\w/*“‘+.-])(?![\w\-:.]*\s*(?:[=!]=))/.exec(context.rest)?.[0];
  return sign === undefined ? null : replaceHere(context, sign.length, ' == ', hint);
}

/** Returns the hint for a range after a colon: `Priority:[10 TO 50]`, `Priority:>50`. */
function colonRange(context: HintContext, selector: RegExpExecArray | null): Hint {
  if (context.level === 0)
    return { hint: 'Values cannot be ordered here, and there are no ranges; compare with each value.' };
  const sign = /^:\s*(?=[<>])/.exec(context.rest)?.[0];
  if (sign !== undefined)
    return replaceHere(context, sign.length, ' ', 'Write <, <=, > or >= without a colon.');
  const range = /^:\s*([[{])\s*([^\s\]}]+)\s+TO\s+([^\s\]}]+)\s*([\]}])/i.exec(context.rest);
  if (range === null || selector === null)
    return { hint: 'Write a range as two comparisons: Priority >= low and Priority <= high.' };
  const [all, open, low = '*', high = '*', close] = range;
  const name = selector[1] ?? '';
  const tests = [
    ...(low === '*' ? [] : [`${name} ${open === '[' ? '>=' : '>'} ${low}`]),
    ...(high === '*' ? [] : [`${name} ${close === ']' ? '<=' : '<'} ${high}`]),
  ];
  const text = tests.length === 2 ? `(${tests.join(' and ')})` : (tests[0] ?? `${name} is not nil`);
  return rewrite(
    context,
    `Write a range as two comparisons: ${tests.join(' and ')}.`,
    text,
    selector[0].length,
    all.length,
  );
}

/** `_exists_:owner`. */
const existsField: HintRule = (context) => {
  const word = expects(context, 'operator') ? (/\b_exists_\s*$/.exec(context.before)?.[0] ?? null) : '';
  const found = /^(?:_exists_\s*)?:\s*([a-zA-Z][\w.]*)/.exec(context.rest);
  if (word === null || found === null || !expects(context, 'operand', 'operator')) return null;
  const state = context.level > 0 ? 'nil' : 'empty';
  const text = `${found[1] ?? ''} is not ${state}`;
  return rewrite(context, `To test for a value, use is not ${state}.`, text, word.length, found[0].length);
};

const fieldInBrackets = new RegExp(
  String.raw`^\[\s*(["']?)([a-zA-Z]\w*)\1\s*\](?=\s*(?:[=!<>~]|(?:like|${operatorWordPattern})\b))`,
  'i',
);

/** `[Name] = 'x'`. */
const bracketedField: HintRule = (context) => {
  const found = fieldInBrackets.exec(context.rest);
  if (found === null || !expects(context, 'operand')) return null;
  return replaceHere(context, found[0].length, found[2] ?? '', 'Write a field name without brackets.');
};

/** `labels?.team`: every part of a path may be missing. */
const optionalPart: HintRule = (context) => {
  if (!expects(context, 'operator') || !/^\?\.(?=[a-zA-Z[])/.test(context.rest)) return null;
  const length = context.rest.startsWith('?.[') ? 2 : 1;
  return replaceHere(context, length, '', 'Separate the parts of a path with dots.');
};

/** `.Name | test("^web")`: a filter of jq, which is a method elsewhere. */
const pipe: HintRule = (context) => {
  const word =
    /^\|\s*(?=(?:test|startswith|endswith|contains|index|length|has|ascii_downcase|ascii_upcase|any|all)\b)/.exec(
      context.rest,
    )?.[0];
  if (word === undefined || !expects(context, 'operator')) return null;
  const { start } = context.failure.span;
  return {
    hint: noFunctions(context.level),
    isSweeping: true,
    suggestions: replace('write a method', start - gapBefore(context), start + word.length, '.'),
  };
};

/** `+Status:running -Name:web`: signs of search engines. */
const searchSign: HintRule = (context) => {
  const sign = /^[+-](?=[a-zA-Z]\w*(?:\.\w+)*\s*:)/.exec(context.rest)?.[0];
  if (sign === undefined || !expects(context, 'operand', ...afterOperand)) return null;
  const not = sign === '-' ? 'not ' : '';
  const joined = expects(context, 'operand') ? not : `and ${not}`;
  return replaceHere(context, 1, joined, 'Use not for negation and join comparisons with `and`.');
};

/** `NOT (…)`, `ANY L as x {…}`: upper-case keywords, which the language reads as names. */
const capitals: HintRule = (context) => {
  if (!expects(context, 'operator')) return null;
  const word = /(?:^|[^\w/.\]])((?:NOT|Not|ANY|Any|ALL|All)\s*)$/.exec(context.before)?.[1];
  if (word === undefined) return null;
  const lower = word.trimEnd().toLowerCase();
  const hint = `Write keywords in lower case: ${lower}.`;
  return rewrite(context, hint, `${lower} `, word.length, 0);
};

/** `Meta.owner exists`. */
const presence: HintRule = (context) => {
  const isProperty = expects(context, 'property', 'negatedProperty');
  if (!isProperty && !expects(context, 'operator', 'negatable')) return null;
  const word = /^(?:exists?|set|present|defined)(?![\w/])/i.exec(context.rest)?.[0];
  const head = /\s+(?:is\s+)?(not\s+)?$/.exec(context.before);
  const selector = head === null ? null : selectorAtEnd.exec(context.before.slice(0, head.index));
  if (word === undefined || head === null || selector === null) return null;
  const hint = 'To test for a key, use "owner" in Meta; to test for a value, use is not empty.';
  const negated = head[1] !== undefined;
  const name = selector[1] ?? '';
  const dot = name.lastIndexOf('.');
  const text =
    dot === -1 || name.endsWith(']')
      ? `${name} is ${negated ? '' : 'not '}empty`
      : `"${name.slice(dot + 1)}" ${negated ? 'not ' : ''}in ${name.slice(0, dot)}`;
  return rewrite(context, hint, text, head[0].length + selector[0].length, word.length);
};

/** `Stop is true`: `is` only tests for empty and nil. */
const isValue: HintRule = (context) => {
  if (!expects(context, 'property', 'negatedProperty')) return null;
  const is = /\bis\s+(not\s+)?$/.exec(context.before);
  if (is === null || !/^(?:[a-zA-Z][\w/.]*|["'`\d-])/.test(context.rest)) return null;
  const operator = is[1] === undefined ? '==' : '!=';
  const hint = `${is[1] === undefined ? 'equality' : 'inequality'} is written ${operator}.`;
  return rewrite(context, hint, `${operator} `, is[0].length, 0);
};

const unusualRest = new RegExp(
  String.raw`^(?:[\-:@$+_~]|[\u{80}-\u{10ffff}])(?:[\w\-:@$+~]|(?![\p{Z}\p{C}“”„«»‘’])[\u{80}-\u{10ffff}])*(?=\s*(?:==|!=|\s(?:${operatorWordPattern})\b))`,
  'u',
);

/** `node-id == x`, `_id == x`: names that must be written as a pointer or a bracketed key. */
const unusualName: HintRule = (context) => {
  const tail = unusualRest.exec(context.rest)?.[0];
  if (tail === undefined || !expects(context, 'operator', 'operand', 'part')) return null;
  const head = expects(context, 'operand')
    ? ''
    : (/[a-zA-Z][\w/]*(?:\.[\w/]*)*$/.exec(context.before)?.[0] ?? '');
  if (head === '' && !expects(context, 'operand')) return null;
  const name = head + tail;
  const dot = name.lastIndexOf('.', head.length);
  const isPointer = dot === -1 && /^[\w\-:~\p{L}\p{N}]+$/u.test(name);
  const text = dot > 0 ? `${name.slice(0, dot)}["${name.slice(dot + 1)}"]` : isPointer ? `"/${name}"` : null;
  const hint =
    'Write a name with characters other than letters, digits, _ and / as a key, Meta["a-b"], or as a pointer, "/a-b".';
  return text === null ? { hint } : rewrite(context, hint, text, head.length, tail.length);
};

const comment: HintRule = (context) => {
  if (!expects(context, ...afterOperand) || !/^(?:\/\/|\/\*|#|--)/.test(context.rest)) return null;
  const line = /^(?:\/\*[\s\S]*?\*\/|[^\n]*)/.exec(context.rest)?.[0] ?? '';
  return rewrite(context, 'Filters have no comments.', '', gapBefore(context), line.length);
};

/** The rules by their order: before all grammar rules, before the rules for connectives, and after those for keywords. */
export const foreignSyntax: Readonly<Record<'early' | 'middle' | 'late', readonly HintRule[]>> = {
  early: [prefixedLiteral, searchSign, emptyThing, existsField, bracketedField],
  middle: [
    like,
    isNot,
    phrase,
    range,
    optionalPart,
    pipe,
    presence,
    spelling,
    capitals,
    listOfValues,
    unusualName,
    comment,
  ],
  late: [isValue, notValue],
};
