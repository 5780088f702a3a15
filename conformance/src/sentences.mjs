/**
 * A rule of a page about the language: a sentence of a paragraph, a list item, or a row of a table.
 *
 * @typedef {object} Sentence
 * @property {string} section its heading, as in a URL fragment: `lists-of-values`
 * @property {string} text on one line
 * @property {boolean} isRow
 */

/**
 * The rules of a Markdown page, in order. Code blocks contain none.
 *
 * @param {string} page
 * @returns {Sentence[]}
 */
export function sentencesOf(page) {
  /** @type {Sentence[]} */
  const found = [];
  let section = 'top';
  const blocks = page.replace(/^```[\s\S]*?^```$/gm, '').split(/\n{2,}/);
  for (const block of blocks) {
    const text = block.trim();
    const heading = /^#+ (.*)$/.exec(text)?.[1];
    if (heading !== undefined) section = slugOf(heading);
    else if (text.startsWith('|')) {
      const rows = text.split('\n').slice(2);
      found.push(...rows.map((row) => ({ section, text: cellsOf(row).join(' | '), isRow: true })));
    } else if (text !== '') {
      for (const paragraph of text.split(/\n(?=- )/)) {
        const line = paragraph.replace(/^- /, '').replace(/\s+/g, ' ');
        const sentences = paragraph.startsWith('- ') ? [line] : splitSentences(line);
        found.push(...sentences.map((sentence) => ({ section, text: sentence, isRow: false })));
      }
    }
  }
  return found;
}

/** @param {string} row */
function cellsOf(row) {
  return row
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** @param {string} heading */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .trim()
    .replace(/ +/g, '-');
}

/**
 * Splits after a full stop, if the next sentence begins there; dots inside code do not count.
 *
 * @param {string} text
 */
function splitSentences(text) {
  const hidden = text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, (code) => '`'.repeat(code.length));
  /** @type {string[]} */
  const sentences = [];
  let start = 0;
  for (const { index } of hidden.matchAll(/(?<=[.!?]) (?=[A-Z`"[*(])/g)) {
    sentences.push(text.slice(start, index).trim());
    start = index + 1;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}
