import { fieldPathText, quote } from '../syntax/field-path.js';
import { isFieldName } from '../syntax/literal.js';
import { expects, guess, replace, rewrite, type HintRule } from './hint.js';

// Fields whose names are not identifiers, written without brackets, and such fields where a value is expected.

/** `_x in Tags`, `["x"] in Tags`: a field before `in`. */
const fieldAsValue: HintRule = (context) => {
  const { start, end } = context.failure.span;
  if (!expects(context, 'bareValue')) return null;
  const name = context.source.slice(start, end);
  const isKeyed = name.startsWith('[');
  const literal = isKeyed ? name.slice(1, -1).trim() : quote(name);
  const reference = replace(`write @${name}`, start, start, '@');
  const text = replace(`write ${literal}`, start, end, literal);
  return {
    hint: `Write ${literal} to search for that string, @${name} for the value of the field, or ${name} in ["a", "b"] to compare the field.`,
    suggestions: isKeyed ? [...reference, ...text] : [...text, ...reference],
  };
};

const quotedKey = String.raw`\[\s*("(?:[^"\\\n]|\\.)*"|${'`[^`]*`'})\s*\]`;
const keyHere = new RegExp(`^${quotedKey}`);
const valueBeforeIn = /("[^"\n]*"i?|`[^`\n]*`i?|-?[0-9][\w.:/+-]*|@[\w/.]+)(\s+(?:not\s+)?)in\s*$/;

/** `"x" in ["Tag List"]`: after `in` a bracket begins a list. */
const keyAfterIn: HintRule = (context) => {
  const key = keyHere.exec(context.rest);
  const head = valueBeforeIn.exec(context.before);
  if (context.level === 0 || key === null || head === null || !expects(context, 'container')) return null;
  const [all, value = '', not = ''] = head;
  const text = `${key[0]}${not}contains ${value}`;
  const hint = `After in, a bracket begins a list of values. Write the field first: ${text}.`;
  return rewrite(context, hint, text, all.length, key[0].length);
};

/** `Name == ["x"]`: a list or a field where one value is expected. */
const keyAsValue: HintRule = (context) => {
  const key = keyHere.exec(context.rest);
  const equality = /([=!]=)\s*$/.exec(context.before);
  if (context.level === 0 || key === null || !expects(context, 'value')) return null;
  const { start } = context.failure.span;
  const reference = replace(`write @${key[0]}`, start, start, '@');
  const [written, text = ''] = key;
  if (equality === null) {
    return {
      hint: `A comparison takes one value. Write ${text} for that string, or @${written} for the value of the field.`,
      suggestions: [...replace(`write ${text}`, start, start + written.length, text), ...reference],
    };
  }
  const operator = equality[1] === '==' ? 'in' : 'not in';
  const list = replace(`write ${operator} ${written}`, start - equality[0].length, start, `${operator} `);
  return {
    hint: `A bracket begins a list only after in: Status in ${written}. For the value of a field, write @${written}.`,
    suggestions: [...list, ...reference],
  };
};

const wordsAtEnd = /(?:[^\s(){}[\]"`,]+ +){0,4}[^\s(){}[\]"`,]* *$/;
const wordsAhead = /^[^\s(){}[\]"`,=!<>]*(?: [^\s(){}[\]"`,=!<>]+){0,4}/;

/** `First Name == x`, `@timestamp > now`: a field of the schema without brackets. */
const spacedFieldName: HintRule = (context) => {
  const { fields, level } = context;
  if (level === 0 || fields === null || !expects(context, 'operator', 'membership', 'operand')) return null;
  const words = (wordsAhead.exec(context.rest)?.[0] ?? '').split(' ');
  const written = wordsAtEnd.exec(context.before)?.[0] ?? '';
  const starts = [0, ...[...written.matchAll(/ +(?=[^ ])/g)].map(({ 0: gap, index }) => index + gap.length)];
  for (const start of [...starts, written.length]) {
    const before = written.slice(start);
    for (let count = words.length; count >= 0; count -= 1) {
      const ahead = words.slice(0, count).join(' ');
      const name = (before + ahead).trim();
      if (isFieldName(name) || fields.kindAt([name]) === null) continue;
      const text = fieldPathText([name]);
      const gap = ahead === '' ? (/ *$/.exec(before)?.[0] ?? '') : '';
      const hint = `Write the name of this field in brackets: ${text}.`;
      return rewrite(context, hint, text + gap, before.length, ahead.length);
    }
  }
  return null;
};

/** `[First Name] == x`: a key without quotes. */
const unquotedKey: HintRule = (context) => {
  const found = /^(\[?)([^"`[\](){}=!<>,\s]+(?: [^"`[\](){}=!<>,\s]+)+)(?=\s*\])/.exec(context.rest);
  if (context.level === 0 || found === null || !expects(context, 'key', 'operand')) return null;
  const [all, bracket = '', key = ''] = found;
  return rewrite(context, 'Put the key in quotes.', bracket + quote(key), 0, all.length);
};

/** `First Name == x`, without known fields: two names before an operator. */
export const spacedGuess: HintRule = (context) => {
  const ahead = /^([A-Za-z]\w*(?: [A-Za-z]\w*){0,3})(?=\s*(?:[=!]=|[<>]=?)\s*\S)/.exec(context.rest)?.[1];
  const name = /(?:^|[\s({])([A-Z]\w*\s+)$/.exec(context.before)?.[1];
  if (context.level === 0 || ahead === undefined || name === undefined || !expects(context, 'operator'))
    return null;
  const text = fieldPathText([name.trim() + ' ' + ahead]);
  return guess(
    rewrite(context, `Write the name of one field in brackets: ${text}.`, text, name.length, ahead.length),
  );
};

export const fieldNames: readonly HintRule[] = [
  fieldAsValue,
  keyAfterIn,
  keyAsValue,
  spacedFieldName,
  unquotedKey,
];
