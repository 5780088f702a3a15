/** A number of a JSON text, in its own digits: `9007199254740993` and `5.0` are what they are. */
export class JsonNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  get isInteger() {
    return /^-?\d+$/.test(this.text);
  }
}

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(true|false|null))/y;

/**
 * Reads JSON without losing digits: each number is a {@link JsonNumber}, all else is what `JSON.parse` makes of it.
 *
 * @param {string} text
 * @returns {unknown}
 * @throws {SyntaxError} naming the place, where the text is no JSON
 */
export function parseExactJson(text) {
  JSON.parse(text); // Refuses what is no JSON, so that below nothing has to be expected.
  let at = 0;
  const next = () => {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) throw new SyntaxError(`no JSON at ${at}`);
    at = token.lastIndex;
    return found;
  };
  /** @param {RegExpExecArray} found @returns {unknown} */
  const value = ([, sign, quoted, number, word]) => {
    if (quoted !== undefined) return JSON.parse(quoted);
    if (number !== undefined) return new JsonNumber(number);
    if (word !== undefined) return JSON.parse(word);
    if (sign === '[') {
      const list = [];
      for (let found = next(); found[1] !== ']'; found = next()) {
        if (found[1] !== ',') list.push(value(found));
      }
      return list;
    }
    /** @type {[string, unknown][]} */
    const entries = [];
    for (let found = next(); found[1] !== '}'; found = next()) {
      if (found[1] === ',') continue;
      const key = JSON.parse(found[2] ?? '""');
      next();
      entries.push([key, value(next())]);
    }
    return Object.fromEntries(entries);
  };
  return value(next());
}
