/**
 * The search for a word in a text, in time linear in the text, whatever the word.
 *
 * `indexOf` is that fast for nearly all words, but not for two kinds. Beyond 250 characters V8 skips by the last 250 of
 * a word only: `aa...aba...a` in a text of `a` takes the product of the two lengths. And for shorter words than 32 it may
 * take a call for each place where the first character stands: 7 ns a character, where a RegExp takes 1.
 */
export interface TextSearch {
  /** What a character of a text costs at worst, in units of 6 ns. */
  readonly weight: number;
  /** Where the word stands first, from a place on; -1 where it does not. */
  readonly find: (text: string, from: number) => number;
  readonly isIn: (text: string) => boolean;
}

/** Longest word that `indexOf` finds in linear time: as far as the skipping table of V8 reaches. */
const longestNative = 250;
/** Words of two to so many characters are looked for by a RegExp in long texts. */
const longestShort = 32;
/** Shortest text that is worth a RegExp, whose compilation takes about 50 us. */
const longText = 65_536;
/** Characters that may be compared in vain, beside an eighth of the text, before it is time for the slower, linear way. */
const patience = 4_096;

export function createTextSearch(word: string): TextSearch {
  if (word.length > longestNative) {
    const find = createLongFind(word);
    return { weight: 3, find, isIn: (text) => find(text, 0) >= 0 };
  }
  if (word.length < 2 || word.length > longestShort) {
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

/** A class in it keeps V8 from taking the text for the word that it is, and from searching it as `indexOf` does. */
function expressionOf(word: string): string {
  const units = Array.from({ length: word.length }, (_, at) =>
    word.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  const [first = '', ...rest] = units;
  return `[\\u${first}]${rest.map((unit) => `\\u${unit}`).join('')}`;
}

/** Looks for the end of the word, and for the rest of it only there; where that is too often in vain, step by step. */
function createLongFind(word: string): TextSearch['find'] {
  const start = word.length - longestNative;
  const end = word.slice(start);
  let failures: Int32Array | null = null;
  return (text, from) => {
    let left = patience + (text.length - from) / 8;
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

/** By length of a part that matched: how much of the word still matches where its next character does not. */
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

/** The search of Knuth, Morris and Pratt: never goes back in the text. */
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

/** As `startsWith`, which compares long words character by character: in one piece that takes a thirtieth of the time. */
export function beginsWith(text: string, word: string): boolean {
  return text.slice(0, word.length) === word;
}

/** As `endsWith`, in one piece too. */
export function endsIn(text: string, word: string): boolean {
  return text.length >= word.length && text.slice(text.length - word.length) === word;
}
