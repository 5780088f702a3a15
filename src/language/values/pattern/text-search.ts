/**
 * The search for a word in a string, in time linear in the string for any word.
 *
 * `indexOf` is that fast for nearly all words, except for two kinds. Beyond 250 characters V8 skips by the last 250 of a word
 * only: `aa...aba...a` in a string of `a` takes the product of the two lengths. And for words shorter than 32 it may make a call
 * for each occurrence of the first character: 7 ns a character, while a RegExp takes 1.
 */
export interface TextSearch {
  /** Maximum cost per character of a string, in units of 6 ns. */
  readonly weight: number;
  /** Returns the index of the first occurrence of the word at or after an index; -1 if none exists. */
  readonly find: (text: string, from: number) => number;
  readonly isIn: (text: string) => boolean;
}

/** Maximum length of a word that `indexOf` finds in linear time: the size of V8's skip table. */
const maxNativeLength = 250;
/** Maximum length of a word, from two, that is searched for with a RegExp in long strings. */
const maxShortLength = 32;
/** Minimum length of a string that is worth a RegExp, whose compilation takes about 50 us. */
const longText = 65_536;
/**
 * Maximum number of unsuccessful comparisons, in addition to an eighth of the string, before switching to the slower, linear
 * search.
 */
const fallbackAfter = 4_096;

export function createTextSearch(word: string): TextSearch {
  if (word.length > maxNativeLength) {
    const find = createLongFind(word);
    return { weight: 3, find, isIn: (text) => find(text, 0) >= 0 };
  }
  if (word.length < 2 || word.length > maxShortLength) {
    return { weight: 1, find: (text, from) => text.indexOf(word, from), isIn: (text) => text.includes(word) };
  }
  const find = createShortFind(word);
  return {
    weight: 1,
    find,
    isIn: (text) => (text.length < longText ? text.includes(word) : find(text, 0) >= 0),
  };
}

function createShortFind(word: string): TextSearch['find'] {
  let regExp: RegExp | null = null;
  return (text, from) => {
    if (text.length - from < longText) return text.indexOf(word, from);
    regExp ??= new RegExp(expressionOf(word), 'g');
    regExp.lastIndex = from;
    return regExp.exec(text)?.index ?? -1;
  };
}

/** Returns a RegExp with a class, so that V8 does not treat it as a plain string and search it like `indexOf`. */
function expressionOf(word: string): string {
  const units = Array.from({ length: word.length }, (_, at) =>
    word.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  const [first = '', ...rest] = units;
  return `[\\u${first}]${rest.map((unit) => `\\u${unit}`).join('')}`;
}

/** Searches for the end of the word, and compares the rest only there; if that fails too often, searches step by step. */
function createLongFind(word: string): TextSearch['find'] {
  const start = word.length - maxNativeLength;
  const end = word.slice(start);
  let failures: Int32Array | null = null;
  return (text, from) => {
    let left = fallbackAfter + (text.length - from) / 8;
    for (let at = from; ; at += 1) {
      const found = text.indexOf(end, at + start);
      if (found < 0) return -1;
      at = found - start;
      if (text.startsWith(word, at)) return at;
      left -= word.length;
      if (left < 0) return findByFailures(word, (failures ??= failuresOf(word)), text, at + 1);
    }
  };
}

/** Returns, by length of a matched prefix, how much of the word still matches if its next character does not. */
function failuresOf(word: string): Int32Array {
  const failures = new Int32Array(word.length + 1);
  let matched = 0;
  for (let at = 1; at < word.length; at += 1) {
    // `matched` is below the length of the table, here and in the search.
    while (matched > 0 && word.charCodeAt(at) !== word.charCodeAt(matched))
      matched = failures[matched] as number;
    if (word.charCodeAt(at) === word.charCodeAt(matched)) matched += 1;
    failures[at + 1] = matched;
  }
  return failures;
}

/** Knuth-Morris-Pratt search: never goes back in the string. */
function findByFailures(word: string, failures: Int32Array, text: string, from: number): number {
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== word.charCodeAt(matched)) matched = failures[matched] as number;
    if (unit === word.charCodeAt(matched)) matched += 1;
    if (matched === word.length) return at - matched + 1;
  }
  return -1;
}

/** Like `startsWith`, which compares long words character by character. Comparing in one piece takes a thirtieth of the time. */
export function beginsWith(text: string, word: string): boolean {
  return text.slice(0, word.length) === word;
}

/** Like `endsWith`, compared in one piece. */
export function endsIn(text: string, word: string): boolean {
  return text.length >= word.length && text.slice(text.length - word.length) === word;
}
