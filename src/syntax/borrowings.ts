import { afterOperand, expects, instead, replace, type Advice, type HintRule, type Scene } from './advice.js';
import { quotePattern } from './glob.js';

// What people bring along from SQL, from programming languages and from other filters.

/** A selector at the end of what stands before; the group is all of it. */
const selectorAtEnd = /([a-zA-Z][\w/]*(?:\.[\w/]+|\["[^"\]]*"\])*)\s*$/;

/** A literal at the beginning of what follows: double-quoted, single-quoted or in backticks. */
const literalAtStart = /^\s*\(?\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\n]*)`)\s*\)?/;

function bodyOf(literal: RegExpExecArray): string {
  return literal[1] ?? literal[2] ?? literal[3] ?? '';
}

/** Text as part of a pattern. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** `like` and its kin, which take patterns of another kind. */
const like: HintRule = (scene) => {
  if (!expects(scene, 'operator', 'property', 'negatable')) return null;
  const word = /^(?:not\s+)?(?:i?like|r?like|regexp?|=~|~=|!~|~)(?![\w=~])/i.exec(scene.rest)?.[0];
  if (word === undefined) return null;
  const hint = 'Patterns are regular expressions behind matches: Name matches "^web".';
  const rest = scene.rest.slice(word.length);
  const literal = literalAtStart.exec(rest);
  const { start } = scene.failure.span;
  if (literal === null || bodyOf(literal).includes('`')) return { hint };
  const isNegated = word.startsWith('!') || /^not/i.test(word);
  const isLike = /like$/i.test(word);
  const pattern = quotePattern(isLike ? likePattern(bodyOf(literal)) : bodyOf(literal));
  const operator = `${isNegated ? 'not ' : ''}matches`;
  // `is like`: the `is` goes with it.
  const lead = expects(scene, 'property') ? (/\bis\s+$/.exec(scene.before)?.[0].length ?? 0) : 0;
  const text = `${/\w$/.test(scene.before) ? ' ' : ''}${operator} ${pattern}`;
  return {
    hint,
    suggestions: replace(`write ${text.trim()}`, start - lead, start + word.length + literal[0].length, text),
  };
};

/** SQL's pattern as a regular expression: `%` is any text, `_` any character, and the whole text is matched. */
function likePattern(text: string): string {
  const inner = text
    .split('%')
    .map((part) => part.split('_').map(escapePattern).join('.'))
    .join('.*');
  return `^${inner}$`.replace(/^\^\.\*/, '').replace(/\.\*\$$/, '');
}

const parts: readonly { readonly word: RegExp; readonly hint: string; pattern(text: string): string }[] = [
  {
    word: /^(?:starts|begins)[_ ]?(?:with)?/i,
    hint: 'A beginning is matched by a pattern: Name matches "^web".',
    pattern: (text) => `^${escapePattern(text)}`,
  },
  {
    word: /^ends[_ ]?(?:with)?/i,
    hint: 'An end is matched by a pattern: Name matches "web$".',
    pattern: (text) => `${escapePattern(text)}$`,
  },
];

/** `starts with "x"`. */
const part: HintRule = (scene) => {
  if (!expects(scene, 'operator', 'property')) return null;
  for (const { word, hint, pattern } of parts) {
    const written = word.exec(scene.rest)?.[0];
    if (written === undefined) continue;
    const literal = literalAtStart.exec(scene.rest.slice(written.length));
    if (literal === null || !expects(scene, 'operator')) return { hint };
    const text = `matches ${quotePattern(pattern(bodyOf(literal)))}`;
    return { ...instead(scene, written.length + literal[0].length, text, hint) };
  }
  return null;
};

/** `Name.startsWith("x")`: methods do not exist. */
const method: HintRule = (scene) => {
  const call = /\.(startsWith|endsWith|includes|contains|matches|match|has)$/.exec(scene.before);
  if (call === null || !expects(scene, 'operator') || !scene.rest.startsWith('(')) return null;
  const hint = 'There are no functions: the operators are ==, !=, in, contains, matches and is.';
  const literal = literalAtStart.exec(scene.rest);
  if (literal === null || !literal[0].trimEnd().endsWith(')')) return { hint };
  const body = bodyOf(literal);
  const name = call[1] ?? '';
  const text = name.startsWith('starts')
    ? ` matches ${quotePattern(`^${escapePattern(body)}`)}`
    : name.startsWith('ends')
      ? ` matches ${quotePattern(`${escapePattern(body)}$`)}`
      : ` ${name.startsWith('match') ? 'matches' : 'contains'} ${quotePattern(body)}`;
  const { start } = scene.failure.span;
  return {
    hint,
    suggestions: replace(`write${text}`, start - call[0].length, start + literal[0].trimEnd().length, text),
  };
};

const wordsFor: ReadonlyMap<string, string> = new Map([
  ['equals', '=='],
  ['equal', '=='],
  ['eq', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['has', 'contains'],
  ['includes', 'contains'],
  ['include', 'contains'],
  ['isnt', 'is not'],
]);

/** Operators spelled as in other languages: `eq`, `has`, a colon. */
const spelling: HintRule = (scene) => {
  if (!expects(scene, 'operator')) return null;
  const word = /^[a-zA-Z]+(?![\w/.])/.exec(scene.rest)?.[0];
  const known = wordsFor.get(word?.toLowerCase() ?? '');
  if (word !== undefined && known !== undefined) {
    return instead(scene, word.length, known, `This operator is written ${known}.`);
  }
  const colon = /^:\s*(?=["'`\w])(?![\w\-:.]*\s*(?:[=!]=))/.exec(scene.rest)?.[0];
  return colon === undefined ? null : instead(scene, colon.length, ' == ', 'Equality is written ==.');
};

/** `NOT (…)`, `ANY L as x {…}`: words of the language in capitals, which are names. */
const capitals: HintRule = (scene) => {
  if (!expects(scene, 'operator')) return null;
  const word = /(?:^|[^\w/.\]])((?:NOT|Not|ANY|Any|ALL|All)\s*)$/.exec(scene.before)?.[1];
  if (word === undefined) return null;
  const { start } = scene.failure.span;
  const lower = word.trimEnd().toLowerCase();
  return {
    hint: `The words of the language are written in lower case: ${lower}.`,
    suggestions: replace(`write ${lower}`, start - word.length, start, `${lower} `),
  };
};

/** `Meta.owner exists`. */
const presence: HintRule = (scene) => {
  const isProperty = expects(scene, 'property', 'negatedProperty');
  if (!isProperty && !expects(scene, 'operator', 'negatable')) return null;
  const word = /^(?:exists?|set|present|defined)(?![\w/])/i.exec(scene.rest)?.[0];
  const head = /\s+(?:is\s+)?(not\s+)?$/.exec(scene.before);
  const selector = head === null ? null : selectorAtEnd.exec(scene.before.slice(0, head.index));
  if (word === undefined || head === null || selector === null) return null;
  const hint =
    'Ask whether there is a key with "owner" in Meta, and whether there is a value with is not empty.';
  const negated = head[1] !== undefined;
  const name = selector[1] ?? '';
  const dot = name.lastIndexOf('.');
  const text =
    dot === -1 || name.endsWith(']')
      ? `${name} is ${negated ? '' : 'not '}empty`
      : `"${name.slice(dot + 1)}" ${negated ? 'not ' : ''}in ${name.slice(0, dot)}`;
  const { start } = scene.failure.span;
  const from = start - head[0].length - selector[0].length;
  return { hint, suggestions: replace(`write ${text}`, from, start + word.length, text) };
};

/** `Stop is true`: only emptiness and nil are asked about with `is`. */
const isValue: HintRule = (scene) => {
  if (!expects(scene, 'property', 'negatedProperty')) return null;
  const is = /\bis\s+(not\s+)?$/.exec(scene.before);
  if (is === null || !/^(?:[a-zA-Z][\w/.]*|["'`\d-])/.test(scene.rest)) return null;
  const operator = is[1] === undefined ? '==' : '!=';
  const { start } = scene.failure.span;
  return {
    hint: `${is[1] === undefined ? 'Equality' : 'Inequality'} is written ${operator}.`,
    suggestions: replace(`write ${operator}`, start - is[0].length, start, `${operator} `),
  };
};

const item = /^\s*(?:"([^"\\\n]*)"|'([^'"\\\n]*)'|(-?[\w/][\w\-/.:@]*))\s*(,|$)/;

/** The items of a list in brackets as literals; null for anything more than literals. */
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

/** `Status in ["running", "pending"]`: no value is a list. */
const listOfValues: HintRule = (scene) => {
  if (!expects(scene, 'value', 'container') || !/^[[(]/.test(scene.rest)) return null;
  const hint = 'There are no lists of values: write one comparison for each and join them by "or".';
  const bracketed = /^(?:\[([^\][]*)\]|\(([^()]*)\))/.exec(scene.rest);
  const head = /(==|!=|\bnot\s+in|\bin|\bnot\s+contains|\bcontains)\s*$/.exec(scene.before);
  if (bracketed === null || head === null) return { hint };
  const inside = bracketed[1] ?? bracketed[2] ?? '';
  return inParentheses(scene, inside, head, bracketed) ?? spelledOut(scene, inside, head, bracketed, hint);
};

/** `"x" in (Tags)`: a field, in parentheses that cannot stand there. */
function inParentheses(
  scene: Scene,
  inside: string,
  head: RegExpExecArray,
  all: RegExpExecArray,
): Advice | null {
  if (!/in$/.test(head[1] ?? '') || !all[0].startsWith('(') || !/^\s*[a-zA-Z][\w/.]*\s*$/.test(inside))
    return null;
  const gap = /\s$/.test(head[0]) ? '' : ' ';
  return instead(
    scene,
    all[0].length,
    gap + inside.trim(),
    'The field behind in stands without parentheses.',
  );
}

function spelledOut(
  scene: Scene,
  inside: string,
  head: RegExpExecArray,
  all: RegExpExecArray,
  hint: string,
): Advice {
  const { start } = scene.failure.span;
  const end = start + all[0].length;
  const items = readItems(inside);
  const selector = selectorAtEnd.exec(scene.before.slice(0, head.index));
  const test = tests.get((head[1] ?? '').replace(/\s+/g, ' '));
  if (items === null && /^[\w\-=:.@/ ]+$/.test(inside)) {
    return { hint, suggestions: replace('write it as one text', start, end, `"${inside}"`) };
  }
  if (items === null || items.length === 0 || selector === null || test === undefined) return { hint };
  const each = items.map((value) => `${selector[1] ?? ''} ${test.operator} ${value}`);
  const text = each.length === 1 ? (each[0] ?? '') : `(${each.join(` ${test.joiner} `)})`;
  const from = start - (scene.before.length - selector.index);
  return { hint, suggestions: replace('write one comparison for each', from, end, text) };
}

/** `node-id == x`, `_id == x`: names that only a pointer or a key in brackets can have. */
const unusualName: HintRule = (scene) => {
  const tail = /^[-:@$+_~][\w\-:@$+~]*(?=\s*(?:==|!=|\s(?:in|not|is|contains|matches)\b))/.exec(
    scene.rest,
  )?.[0];
  if (tail === undefined || !expects(scene, 'operator', 'operand', 'part')) return null;
  const head = expects(scene, 'operand')
    ? ''
    : (/[a-zA-Z][\w/]*(?:\.[\w/]*)*$/.exec(scene.before)?.[0] ?? '');
  if (head === '' && !expects(scene, 'operand')) return null;
  const name = head + tail;
  const dot = name.lastIndexOf('.', head.length);
  const isPointer = dot === -1 && /^[\w\-:~]+$/.test(name);
  const text = dot > 0 ? `${name.slice(0, dot)}["${name.slice(dot + 1)}"]` : isPointer ? `"/${name}"` : null;
  const hint =
    'A name with other characters than letters, digits, _ and / is written as a key, Meta["a-b"], or a pointer, "/a-b".';
  const { start } = scene.failure.span;
  return {
    hint,
    suggestions:
      text === null ? [] : replace(`write ${text}`, start - head.length, start + tail.length, text),
  };
};

const comment: HintRule = (scene) => {
  if (!expects(scene, ...afterOperand) || !/^(?:\/\/|#|--)/.test(scene.rest)) return null;
  const line = /^[^\n]*/.exec(scene.rest)?.[0] ?? '';
  return instead(scene, line.length, '', 'There are no comments.');
};

/** Rules that the ones about the grammar itself come after. */
export const borrowings: readonly HintRule[] = [
  like,
  part,
  method,
  presence,
  spelling,
  capitals,
  listOfValues,
  unusualName,
  comment,
];

/** Heard only after words of the language have been thought of. */
export const lateBorrowings: readonly HintRule[] = [isValue];
