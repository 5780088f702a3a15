/** Describes why a string is not valid JSON: the position, and the expected token. */
export interface JsonFault {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** A hint for known mistakes; null for others. */
  readonly hint: string | null;
}

type State = 'value' | 'first-element' | 'first-key' | 'key' | 'colon' | 'after' | 'done';

const expectations: Readonly<Record<State, string>> = {
  value: 'expected a value',
  'first-element': 'expected a value or ]',
  'first-key': 'expected a key in double quotes or }',
  key: 'expected a key in double quotes',
  colon: 'expected a colon',
  after: '',
  done: 'expected nothing more after the value',
};

const blank = /[ \t\n\r]*/y;
const shortToken =
  /[[\]{}:,]|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const word = /[\w.+-]+|'[^'\n]{0,40}'?|\/[/*]|[^]/uy;

/** Returns the first fault of a string that JSON.parse has rejected; null if none exists. One pass, no recursion. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let at = skip(blank, text, 0);
  while (at < text.length) {
    const end = text[at] === '"' ? endOfString(text, at) : skip(shortToken, text, at);
    if (end <= at) return faultAt(text, at, state, open);
    const next = advance(state, text.slice(at, Math.min(end, at + 1)), open);
    if (next === null)
      return {
        start: at,
        end,
        message: describe(text, at, end, state, open),
        hint: hintFor(text, at, state, open),
      };
    state = next;
    at = skip(blank, text, end);
  }
  if (state === 'done') return null;
  return {
    start: text.length,
    end: text.length,
    message: `${expected(state, open)}, but the value ends here`,
    hint: null,
  };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the state after a token, identified by its first character; null if the token is not allowed. */
function advance(state: State, first: string, open: ('{' | '[')[]): State | null {
  if (first === '}' || first === ']') return close(state, first, open);
  if (state === 'colon') return first === ':' ? 'value' : null;
  if (state === 'after') return first !== ',' ? null : open.at(-1) === '{' ? 'key' : 'value';
  if (state === 'done' || first === ':' || first === ',') return null;
  if (state === 'key' || state === 'first-key') return first === '"' ? 'colon' : null;
  if (first !== '{' && first !== '[') return open.length === 0 ? 'done' : 'after';
  open.push(first);
  return first === '{' ? 'first-key' : 'first-element';
}

function close(state: State, bracket: '}' | ']', open: ('{' | '[')[]): State | null {
  const opener = open.at(-1);
  const fits = bracket === '}' ? opener === '{' : opener === '[';
  const mayClose = state === 'after' || state === (bracket === '}' ? 'first-key' : 'first-element');
  if (!fits || !mayClose) return null;
  open.pop();
  return open.length === 0 ? 'done' : 'after';
}

function expected(state: State, open: readonly string[]): string {
  if (state !== 'after') return expectations[state];
  return open.at(-1) === '{' ? 'expected a comma or }' : 'expected a comma or ]';
}

function describe(text: string, start: number, end: number, state: State, open: readonly string[]): string {
  const found = text.slice(start, Math.min(end, start + 30));
  return `${expected(state, open)}, found ${found}${end > start + 30 ? '…' : ''}`;
}

/** Returns the fault of characters that do not form a token. */
function faultAt(text: string, start: number, state: State, open: readonly string[]): JsonFault {
  if (text[start] === '"') return stringFault(text, start);
  const end = Math.max(skip(word, text, start), start + 1);
  const hint = hintFor(text, start, state, open);
  return { start, end, message: describe(text, start, end, state, open), hint };
}

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Returns the end of the string that begins at `start`; -1 if the string is invalid. */
function endOfString(text: string, start: number): number {
  const at = firstOddity(text, start);
  return text[at] === '"' ? at + 1 : -1;
}

/** Returns where a string ends or becomes invalid: at its closing quote, a bad escape, a control character or the end. */
function firstOddity(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22 || unit < 0x20) return at;
    if (unit !== 0x5c) at += 1;
    else {
      const end = skip(escapeSequence, text, at);
      if (end === at) return at;
      at = end;
    }
  }
  return at;
}

function stringFault(text: string, start: number): JsonFault {
  const at = firstOddity(text, start);
  if (at >= text.length) {
    return { start, end: start + 1, message: 'this string has no closing quote', hint: null };
  }
  if (text[at] === '\\') {
    const end = Math.min(at + (text[at + 1] === 'u' ? 6 : 2), text.length);
    const hint = 'JSON knows \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits';
    return { start: at, end, message: 'this is not an escape sequence sequence', hint };
  }
  const hint = 'write it as an escape: \\n for a line end, \\t for a tab';
  return { start: at, end: at + 1, message: 'a string cannot contain a control character', hint };
}

/** Returns the hint for syntax of another language. */
function hintFor(text: string, at: number, state: State, open: readonly string[]): string | null {
  const rest = text.slice(at, at + 12);
  if (rest.startsWith("'")) return 'JSON has double quotes only';
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'JSON has no comments';
  if (/^(?:-?Infinity|NaN|undefined|None)\b/.test(rest)) return 'write null: JSON has no such value';
  if (/^(?:True|False|TRUE|FALSE)\b/.test(rest)) return 'write it in small letters';
  const isTrailingComma =
    state === 'key' ? rest.startsWith('}') : state === 'value' && open.at(-1) === '[' && rest.startsWith(']');
  if (isTrailingComma) return 'remove the comma before the closing bracket';
  if (/^[+.]?\d/.test(rest) && (state === 'value' || state === 'first-element'))
    return 'a number begins with a digit or a minus, and has no leading zeros';
  if (/^[A-Za-z_$]/.test(rest) && (state === 'key' || state === 'first-key'))
    return 'put the key in double quotes';
  return null;
}
