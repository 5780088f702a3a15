// Checks the words of identifiers, comments, test titles and Markdown, and with --messages those of all strings that are sentences.
//
//   node scripts/words.mjs                reports each private word with its line; exit code 1 if there is one
//   node scripts/words.mjs --messages     includes messages and help
//   node scripts/words.mjs src/http docs  only these files and folders
//   node scripts/words.mjs --count        counts by folder and word
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { allowed, allowedNames } from './words-allowed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Words that this project once used in a sense of its own, each with the standard terms to use instead.
 *
 * @type {readonly (readonly [RegExp, string])[]}
 */
const privateWords = [
  [/\bquestions?\b/i, 'query, request, parameters'],
  [/\banswer(s|ed|ing)?\b/i, 'result, response, return, match, evaluate'],
  [/\bask(s|ed|ing)?\b/i, 'query, request, call, evaluate, test'],
  [/\b(tell|tells|telling|told)\b/i, 'report, return, log, show, distinguish'],
  [/\b(nobody|somebody|whoever)\b/i, 'the role: caller, client, operator, user, maintainer'],
  [/\bstrangers?\b/i, 'unauthenticated client, unknown peer'],
  [/\bstands?\b/i, 'is, goes, appears, represents'],
  [/\b(behind|beside|anew)\b/i, 'after, next to, again'],
  [/\bin place of\b/i, 'instead of'],
  [/(?<!there )\b(is|are|was|were) none\b/i, 'there is no, is not a, invalid'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, repair'],
  [
    /\b(purse|fares?|loans?|keepers?|shelf|shelves|stairs|patience)\b/i,
    'budget, cost, handle, cache, timeout',
  ],
];

/** The same for the words of identifiers: `readHTTPAnswer` has the words read, http and answer. */
const privateNames =
  /^(questions?|answer(s|ed|ing|able|er)?|ask(s|ed|ing|er)?|told|tell(s|ing)?|most|longest|largest|least|usual(ly)?|patien(ce|t)|held|hold(s|ers?|ing)?|kept|keep(s|ers?|ing)?|behind|beside|want(ed|s)?|show(n|s|ing)?)$/;

const args = process.argv.slice(2);
const counts = args.includes('--count');
const includesMessages = args.includes('--messages');
const paths = args.filter((each) => !each.startsWith('--'));
/** @type {Map<string, number>} */
const totals = new Map();
let found = 0;

for (const file of listFiles(paths)) {
  const source = readFileSync(join(root, file), 'utf8');
  const { prose, names } = file.endsWith('.md')
    ? { prose: proseOfMarkdown(source), names: [] }
    : readCode(file, source);
  for (const { text, line } of names) {
    const word = text
      .match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)
      ?.find((each) => privateNames.test(each.toLowerCase()));
    if (word === undefined || isAllowedName(file, text)) continue;
    found += 1;
    process.stdout.write(`${file}:${line}: the name ${text} has the private word "${word}"\n`);
  }
  for (const { text, line } of prose) {
    for (const [word, instead] of privateWords) {
      const match = word.exec(text);
      if (match === null || isAllowed(file, text)) continue;
      found += 1;
      const key = `${file.split('/').slice(0, 2).join('/')}\t${match[0].toLowerCase()}`;
      totals.set(key, (totals.get(key) ?? 0) + 1);
      if (!counts)
        process.stdout.write(`${file}:${line}: "${match[0]}": use ${instead}: ${excerpt(text, match)}\n`);
    }
  }
}
if (counts) for (const [key, count] of [...totals].sort()) process.stdout.write(`${key}\t${count}\n`);
process.stdout.write(`words: ${found} private ${found === 1 ? 'word' : 'words'}\n`);
if (found > 0) process.exitCode = 1;

/** @param {readonly string[]} below */
function listFiles(below) {
  return execFileSync('git', ['ls-files', '--', ...(below.length > 0 ? below : ['.'])], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(ts|tsx|mts|mjs|js|md)$/.test(file));
}

/**
 * The lines of a document, without code.
 *
 * @param {string} source
 * @returns {{ text: string, line: number }[]}
 */
function proseOfMarkdown(source) {
  let isCode = false;
  return source.split('\n').flatMap((text, at) => {
    if (/^\s*(```|~~~)/.test(text)) isCode = !isCode;
    return isCode ? [] : [{ text: text.replace(/`[^`]*`/g, '`code`'), line: at + 1 }];
  });
}

/**
 * Returns the identifiers of a program, and its prose: comments, and strings that are sentences (in tests only titles, elsewhere
 * every string of several words).
 *
 * @param {string} file
 * @param {string} source
 */
function readCode(file, source) {
  const isTest = /(^|\/)test\//.test(file);
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  /** @type {{ text: string, line: number }[]} */
  const prose = [];
  /** @type {{ text: string, line: number }[]} */
  const names = [];
  /** @type {Set<number>} */
  const seen = new Set();
  /** @param {string} text @param {number} at */
  const add = (text, at) => {
    const line = tree.getLineAndCharacterOfPosition(at).line + 1;
    const plain = (/** @type {string} */ each) => each.replace(/`[^`]*`|\{@?[^}]*\}/g, '`code`');
    text.split('\n').forEach((each, index) => prose.push({ text: plain(each), line: line + index }));
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      names.push({ text: node.text, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      const isProse = isTest
        ? isTitle(node)
        : includesMessages && /[a-z] [a-z]|[a-z] $|^ [a-z]/i.test(node.text);
      if (isProse) add(node.text, node.getStart());
    }
    node.getChildren().forEach(visit);
    if (node.kind >= ts.SyntaxKind.FirstToken && node.kind <= ts.SyntaxKind.LastToken) {
      for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) {
        if (!seen.has(range.pos)) add(source.slice(range.pos, range.end), range.pos);
        seen.add(range.pos);
      }
      for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) {
        if (!seen.has(range.pos)) add(source.slice(range.pos, range.end), range.pos);
        seen.add(range.pos);
      }
    }
  };
  visit(tree);
  return { prose, names };
}

/**
 * Whether a string is the first argument of `it`, `test` or `describe`, however it is modified.
 *
 * @param {ts.Node} node
 */
function isTitle(node) {
  const call = ts.isTemplateSpan(node.parent) || ts.isTemplateExpression(node.parent) ? null : node.parent;
  if (call === null || !ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  /** @type {ts.Node} */
  let callee = call.expression;
  while (
    ts.isPropertyAccessExpression(callee) ||
    ts.isCallExpression(callee) ||
    ts.isTaggedTemplateExpression(callee)
  )
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  return ts.isIdentifier(callee) && /^(it|test|describe)$/.test(callee.text);
}

/**
 * @param {string} file
 * @param {string} text
 */
function isAllowed(file, text) {
  return allowed.some(({ path, words }) => path.test(file) && (words === undefined || words.test(text)));
}

/**
 * @param {string} file
 * @param {string} name
 */
function isAllowedName(file, name) {
  return allowedNames.some(
    (each) => each.names.includes(name) && (each.path === undefined || each.path.test(file)),
  );
}

/**
 * @param {string} text
 * @param {RegExpExecArray} match
 */
function excerpt(text, match) {
  return text.slice(Math.max(0, match.index - 40), match.index + 60).trim();
}
