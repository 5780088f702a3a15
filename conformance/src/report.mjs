import { judge, whySkip } from './judge.mjs';

/** @typedef {import('./data.mjs').Answer} Answer */
/** @typedef {import('./data.mjs').Case} Case */
/** @typedef {import('./data.mjs').Suite} Suite */
/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/**
 * A case that failed.
 *
 * @typedef {object} Failure
 * @property {Case} testCase
 * @property {string} expected
 * @property {string} got
 */
/**
 * @typedef {object} Report
 * @property {import('./judge.mjs').Program} program
 * @property {Counts} counts
 * @property {ReadonlyMap<string, number>} skips by reason
 * @property {ReadonlyMap<string, Counts>} sentences by id, those of the cases that were run
 * @property {ReadonlyMap<string, Counts>} forms what only the dialect `standard` reads, by name
 * @property {readonly Failure[]} failures
 * @property {string | null} ended why the program stopped before its last result
 */

/** Characters of a row that a terminal is shown. */
const renderedRow = 1_000;

/**
 * Judges the results of a program.
 *
 * @param {readonly Case[]} cases
 * @param {import('./program.mjs').Conversation} conversation
 * @returns {Report}
 */
export function tally(cases, { program, answers, ended }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  /** @type {Map<string, number>} */
  const skips = new Map();
  /** @type {Map<string, Counts>} */
  const sentences = new Map();
  /** @type {Map<string, Counts>} */
  const forms = new Map();
  /** @type {Failure[]} */
  const failures = [];
  for (const testCase of cases) {
    const got = answers.get(testCase.id);
    /** @type {import('./judge.mjs').Verdict} */
    const verdict =
      got !== undefined || whySkip(testCase, program) !== null
        ? judge(testCase, got ?? {}, program)
        : { kind: 'failed', expected: 'an answer', got: 'none' };
    counts[verdict.kind] += 1;
    for (const id of testCase.sentences) countIn(sentences, id, verdict.kind);
    for (const form of testCase.forms ?? []) countIn(forms, form, verdict.kind);
    if (verdict.kind === 'skipped') skips.set(verdict.reason, (skips.get(verdict.reason) ?? 0) + 1);
    if (verdict.kind === 'failed') failures.push({ testCase, expected: verdict.expected, got: verdict.got });
  }
  return { program, counts, skips, sentences, forms, failures, ended };
}

/**
 * @param {Map<string, Counts>} groups
 * @param {string} name
 * @param {keyof Counts} kind
 */
function countIn(groups, name, kind) {
  const counted = groups.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
  counted[kind] += 1;
  groups.set(name, counted);
}

/**
 * A report for a terminal.
 *
 * @param {Report} report
 * @param {Suite} suite
 * @param {{ maxFailures?: number }} [options] `shown`: how many failures are explained (10)
 */
export function renderText(
  { program, counts, skips, sentences, forms, failures, ended },
  suite,
  { maxFailures = 10 } = {},
) {
  const lines = [`${program.name} ${program.version}`.trim(), ''];
  for (const { id, text } of suite.sentences) {
    const counted = sentences.get(id);
    if (counted === undefined) continue;
    lines.push(formatLine(counted, `${clip(text)}  [${id}]`));
  }
  if (forms.size > 0) lines.push('', 'What only the dialect `standard` reads:');
  for (const [form, counted] of [...forms].sort()) lines.push(formatLine(counted, form));
  const texts = new Map(suite.sentences.map(({ id, text }) => [id, text]));
  for (const failure of failures.slice(0, maxFailures)) lines.push('', ...explain(failure, texts));
  if (failures.length > maxFailures)
    lines.push(
      '',
      `... and ${failures.length - maxFailures} more failures: --failures N explains more of them, --json has all, and each row whole`,
    );
  lines.push('');
  for (const [reason, count] of skips) lines.push(`skipped ${count}: ${reason}`);
  if (ended !== null) lines.push(`The program stopped answering: ${ended}`);
  lines.push(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return `${lines.join('\n')}\n`;
}

/**
 * @param {Failure} failure
 * @param {ReadonlyMap<string, string>} texts of sentences
 */
function explain({ testCase, expected, got }, texts) {
  const { id, expression, dialect = 'go-bexpr', schema, row, unknown, now, source, decided } = testCase;
  return [
    `${id} (${decided === undefined ? source : `decided: ${decided}`}; ${dialect})`,
    `  filter    ${JSON.stringify(expression)}`,
    ...(row === undefined ? [] : [`  row       ${clipRow(row)}`]),
    ...(schema === undefined ? [] : [`  schema    ${schema}`]),
    ...(unknown === undefined ? [] : [`  unknown   ${JSON.stringify(unknown)}`]),
    ...(now === undefined ? [] : [`  now       ${now}`]),
    `  expected  ${clip(expected, 300)}`,
    `  got       ${clip(got, 300)}`,
    ...testCase.sentences.map((sentence) => `  sentence  ${clip(texts.get(sentence) ?? '')} [${sentence}]`),
  ];
}

/**
 * @param {Counts} counts
 * @param {string} what
 */
function formatLine(counts, what) {
  const mark = counts.failed > 0 ? 'FAIL' : counts.passed > 0 ? 'ok  ' : 'skip';
  return `${mark} ${formatCounts(counts).padEnd(20)} ${what}`;
}

/** @param {Counts} counts */
function formatCounts({ passed, failed, skipped }) {
  const parts = [`${passed}/${passed + failed}`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return parts.join(' ');
}

/** @param {string} row */
function clipRow(row) {
  return row.length <= renderedRow
    ? row
    : `${clip(row, renderedRow)} (the first of ${row.length} characters: --json has the rest)`;
}

/**
 * @param {string} text
 * @param {number} [max]
 */
function clip(text, max = 100) {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/**
 * A report for programs: counts, sentences, and each case that failed, whole.
 *
 * @param {Report} report
 */
export function toJson({ program, counts, skips, sentences, forms, failures, ended }) {
  return {
    program,
    counts,
    ended,
    skips: Object.fromEntries(skips),
    sentences: Object.fromEntries(sentences),
    forms: Object.fromEntries(forms),
    failures: failures.map(({ testCase, expected, got }) => ({ ...testCase, expected, got })),
  };
}

/**
 * A badge, as SVG: how many of the cases that were run have passed.
 *
 * @param {Report} report
 */
export function badgeOf({ counts: { passed, failed } }) {
  const share = passed + failed === 0 ? 0 : Math.floor((passed / (passed + failed)) * 1_000) / 10;
  const label = 'bexpr conformance';
  const value = `${share}%`;
  const colour = failed === 0 && passed > 0 ? '#1a7f37' : share >= 90 ? '#9a6700' : '#cf222e';
  const [left, right] = [112, 52];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">
<rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${value}</text></g>
</svg>
`;
}
