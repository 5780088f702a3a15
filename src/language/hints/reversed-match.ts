import { reversedOrderings } from '../values/ordering.js';
import { expects, replace, rewrite, type HintRule } from './hint.js';
import { literalPattern, selectorPattern } from './loose-syntax.js';

// Matches with swapped sides: the value is on the left.

const fieldAtEnd = new RegExp(`@\\s*(${selectorPattern})\\s*$`);
const operator =
  '[=!]=|[<>]=?|(?:not\\s+)?(?:contains|like|matches|(?:starts|ends)\\s+with)|is(?:\\s+not)?\\s+(?:empty|nil)';
const test = new RegExp(
  `^(${operator})(\\s*)(?:(${selectorPattern})(?![\\w"(])|${literalPattern}|@|$|(?=[\\s)}]))`,
);

/** `@a == b`: only the second field has the `@`. */
export const referenceFirst: HintRule = (context) => {
  const field = fieldAtEnd.exec(context.before);
  const found = test.exec(context.rest);
  if (context.level === 0 || !expects(context, 'membership') || field === null || found === null) return null;
  const [, name = ''] = field;
  const [, sign = '', gap = '', other] = found;
  const { start } = context.failure.span;
  const from = start - field[0].length;
  const written = field[0].slice(field[0].indexOf(name));
  const end = start + sign.length + gap.length;
  // If the fields are unknown, `@Owner == ann` is more likely a comparison with the string.
  const isField =
    other !== undefined && context.fields !== null && context.fields.kindAt(other.split('.')) !== null;
  const withReference =
    other === undefined
      ? []
      : replace(`write ${name} ${sign} @${other}`, from, end, `${written}${sign}${gap}@`);
  return {
    hint: `Write the field before the operator without @; @ marks a field used as the value: ${name} == @Other.`,
    suggestions: [
      ...(isField ? withReference : []),
      ...replace(`write ${name}`, from, end, `${written}${sign}${gap}`),
      ...(isField ? [] : withReference),
    ],
  };
};

const searchedAtEnd = new RegExp(`(${selectorPattern})(\\s+(?:not\\s+)?in\\s+)$`);
const referenceHere = new RegExp(`^@\\s*(${selectorPattern})`);

/** `Team in @caller.teams`: the list goes last, and only the first field has the `@`. */
export const listReference: HintRule = (context) => {
  const field = searchedAtEnd.exec(context.before);
  const list = referenceHere.exec(context.rest);
  if (context.level === 0 || field === null || list === null) return null;
  const [whole, name = '', operator = ''] = field;
  const [all, other = ''] = list;
  const swapped = `@${name}${operator}${other}`;
  return rewrite(
    context,
    `A field used as the value of in has the @, and the list goes last without it: ${swapped}.`,
    swapped,
    whole.length,
    all.length,
  );
};

const clock = new RegExp(`^(now\\s*[-+]\\s*[0-9][\\w.]*)\\s*([<>]=?)\\s*(${selectorPattern})`);

/** `now - 7d < Created`. */
export const clockFirst: HintRule = (context) => {
  const found = clock.exec(context.rest);
  if (context.level === 0 || !expects(context, 'operand') || found === null) return null;
  const [all, instant = '', sign = '', name = ''] = found;
  const reversed = `${name} ${reversedOrderings[sign as keyof typeof reversedOrderings]} ${instant}`;
  return rewrite(context, `The field goes first: ${reversed}.`, reversed, 0, all.length);
};
