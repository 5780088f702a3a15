import {
  afterOperand,
  expects,
  gapBefore,
  guess,
  maxRestLength,
  replace,
  rewrite,
  type HintRule,
} from './hint.js';
import { closingEnd } from './loose-syntax.js';
import { readMongoFilter } from './mongo-filter.js';

// Whole sources meant for another language: queries, functions, objects.

/** The rule for an empty source. */
const nothingAtAll: HintRule = ({ source }) =>
  /\S/.test(source)
    ? null
    : { hint: 'The filter is empty. Write a comparison, such as Status == "running".' };

/** `where Status == running`, `SELECT * FROM jobs WHERE ...`, `filter=Status ...`. */
const clauseWord: HintRule = ({ source }) => {
  if (source.length > maxRestLength) return null;
  const head =
    /^\s*(?:(?:select|show|list|find|get|all)\b[^"'`=<>]*?\b(?:where|having|with)\s+|(?:where|having|if|when|filter|WHERE)\s+(?=[a-zA-Z("'!.$])|[?&]?filter\s*=\s*(?=[a-zA-Z("!]))/i.exec(
      source,
    );
  if (head === null) return null;
  return {
    hint: 'Write only the condition, without the words before it.',
    isSweeping: true,
    suggestions: replace(`leave out ${head[0].trim()}`, 0, head[0].length, ''),
  };
};

/** `... ORDER BY Name LIMIT 10`, `... | head`: other clauses of a query. */
const clauseAfter: HintRule = (context) => {
  if (!expects(context, ...afterOperand)) return null;
  const tail =
    /^(?:order\s+by|group\s+by|limit|offset|sort\s+by|then|\|\s*(?:head|tail|wc|sort|limit))\b[^\n]*$/i.exec(
      context.rest,
    )?.[0];
  if (tail === undefined) return null;
  const hint = 'A filter only selects rows; set the order and limits elsewhere.';
  return guess(rewrite(context, hint, '', gapBefore(context), tail.length));
};

const parameter =
  /^\s*(?:\(\s*([a-zA-Z_]\w*)\s*\)|([a-zA-Z_]\w*))\s*=>\s*|^\s*lambda\s+([a-zA-Z_]\w*)\s*:\s*/;

/** `job => job.Status === "running"`, `lambda j: j.Status == "x"`. */
const functionText: HintRule = ({ source }) => {
  if (source.length > maxRestLength) return null;
  const head = parameter.exec(source);
  const name = head?.[1] ?? head?.[2] ?? head?.[3];
  if (head === null || name === undefined) return null;
  const body = source
    .slice(head[0].length)
    .replace(/^\{\s*return\s+([\s\S]*?);?\s*\}\s*;?\s*$/, '$1')
    .replace(new RegExp(`(?<![\\w.])${name}\\??\\.(?=[a-zA-Z])`, 'g'), '')
    .replace(new RegExp(`(?<![\\w.])${name}\\[\\s*(["'])([a-zA-Z]\\w*)\\1\\s*\\]`, 'g'), '$2');
  return {
    hint: 'Write only the condition, with field names that do not start with the row.',
    isSweeping: true,
    suggestions: replace('write the condition alone', 0, source.length, body),
  };
};

/** `.[] | select(.Status == "running")`: the condition of a jq program. */
const selectCall: HintRule = ({ source }) => {
  if (source.length > maxRestLength) return null;
  const head =
    /^\s*(?:\.\[\]\s*\|\s*)?(?:map\s*\(\s*)?(?:select|filter|grep|[a-zA-Z]\w*\.(?:filter|find|where))\s*(?=\()/.exec(
      source,
    )?.[0];
  const end = head === undefined ? -1 : closingEnd(source, head.length);
  if (head === undefined || end === -1 || /[^\s);]/.test(source.slice(end))) return null;
  const inside = source.slice(head.length + 1, end - 1).trim();
  return {
    hint: 'Write only the condition.',
    isSweeping: true,
    suggestions: replace(`leave out ${head.trim()}`, 0, source.length, inside),
  };
};

/** `{ "Status": "running" }`: a filter as an object. */
const objectText: HintRule = ({ source, level }) => {
  if (!/^\s*\{/.test(source)) return null;
  const hint = 'A filter is a string of comparisons, not an object: Status == "running" and Priority == 50.';
  const text = source.length > maxRestLength ? null : readMongoFilter(source, level);
  return text === null ? { hint } : { hint, suggestions: replace(`write ${text}`, 0, source.length, text) };
};

/** `.Status == "x"`, `$.Status == "x"`: a path that starts with a sign for the row. */
const rowSign: HintRule = (context) => {
  if (!expects(context, 'operand', 'selector', 'container')) return null;
  const sign = /^(?:[$@]\.|\.|\$(?=[a-zA-Z]))(?=[a-zA-Z"[])/.exec(context.rest)?.[0];
  if (sign === undefined) return null;
  const hint = `Write a field name without ${sign}: Status, Meta.owner.`;
  const corrected = rewrite(context, hint, '', 0, sign.length);
  return sign === '$' ? guess(corrected) : corrected;
};

/** Rules for the whole source, which run before those for a single position. */
export const foreignQueries: readonly HintRule[] = [
  nothingAtAll,
  objectText,
  functionText,
  clauseWord,
  selectCall,
  rowSign,
  clauseAfter,
];
