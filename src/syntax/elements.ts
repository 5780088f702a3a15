import { expects, instead, replace, type Advice, type HintRule, type Scene } from './advice.js';
import { literalPattern, quoteText, readSelector, selectorPattern } from './phrase.js';

// Elements of lists, as other languages name them.

export const index: HintRule = (scene) => {
  if (!expects(scene, 'key')) return null;
  const elements = everyElement(scene);
  if (elements !== null) return elements;
  const digits = /^([0-9]+)\s*\]/.exec(scene.rest);
  const bracket = scene.source.lastIndexOf('[', scene.failure.span.start);
  if (digits !== null) {
    const end = scene.failure.span.start + digits[0].length;
    const part = `.${digits[1] ?? ''}`;
    return {
      hint: `The elements of a list are counted with a dot: write ${part}.`,
      suggestions: replace(`write ${part}`, bracket, end, part),
    };
  }
  if (/^-[0-9]/.test(scene.rest))
    return { hint: 'Elements are counted from the first, which is .0; there is no counting from the end.' };
  const word = /^[^\s"`\]]+(?=\s*\])/.exec(scene.rest)?.[0];
  const hint = 'A key in brackets is written in quotes.';
  return word === undefined ? { hint } : instead(scene, word.length, `"${word}"`, hint);
};

const memberTest = new RegExp(
  `^(?:[*#]?\\s*\\])?((?:\\.[a-zA-Z][\\w/]*|\\["[^"\\]\\n]*"\\])*)\\s*(===?|=|!==?|(?:not\\s+)?(?:contains|matches))\\s*(${literalPattern})`,
);

/** `TaskGroups[*].Name == web`: every element, which any and all ask about. */
function everyElement(scene: Scene): Advice | null {
  if (!/^(?:[*#]\s*)?\]|^[*#]\./.test(scene.rest)) return null;
  const head = new RegExp(`(${selectorPattern})(?:\\[\\s*|\\.)$`).exec(scene.before);
  const hint = 'Elements are asked about with any or all: any Groups as g { g.Name == "web" }.';
  const test = memberTest.exec(scene.rest.replace(/^[*#](?=\.)/, ''));
  if (head === null || test === null) return { hint };
  const list = readSelector(head[1] ?? '');
  if (list === null) return { hint };
  const [all, rest = '', written = '', value = ''] = test;
  const operator = written.replace(/^=+$/, '==').replace('!==', '!=');
  const name = list === 'x' ? 'y' : 'x';
  const body = `${name}${rest} ${operator} ${/^'/.test(value) ? quoteText(value.slice(1, -1)) : value}`;
  const { start } = scene.failure.span;
  const end = start + all.length + (/^[*#]\./.test(scene.rest) ? 1 : 0);
  const kinds = /^(?:!|not)/.test(operator) ? ['all', 'any'] : ['any', 'all'];
  const texts = kinds.map((kind) => `${kind} ${list} as ${name} { ${body} }`);
  return {
    hint: `Elements are asked about with any or all: ${texts[0] ?? ''}.`,
    suggestions: texts.flatMap((text) => replace(`write ${text}`, start - head[0].length, end, `(${text})`)),
  };
}

/** `TaskGroups.*.Name`, `TaskGroups.#.Name`. */
export const starPart: HintRule = (scene) => (expects(scene, 'part') ? everyElement(scene) : null);
