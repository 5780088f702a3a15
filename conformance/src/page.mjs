/** @typedef {ReturnType<typeof import('./report.mjs').toJson>} JsonReport */

const style = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1f2328;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d1d9e0;vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.id{color:#59636e;font-size:.85em}.pass{color:#1a7f37}.fail{color:#b3202a;font-weight:600}.skip{color:#59636e}
thead th{position:sticky;top:0;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f8fa;padding:.6rem;margin:.4rem 0}
@media(prefers-color-scheme:dark){body,thead th{background:#0d1117;color:#e6edf3}th,td{border-color:#3d444d}pre{background:#161b22}.pass{color:#3fb950}.fail{color:#ff7b72}.id,.skip{color:#9198a1}}`;

/** How many failures of an implementation the page explains; it lists all. */
const printedFailures = 20;

/**
 * A page with a column for each implementation and a line for each sentence. It needs nothing from anywhere.
 *
 * @param {readonly JsonReport[]} reports
 * @param {readonly import('./data.mjs').SentenceEntry[]} sentences
 */
export function renderPage(reports, sentences) {
  const names = reports.map(({ program }) => escape(`${program.name} ${program.version}`.trim()));
  const tested = sentences.filter(({ id }) => reports.some((report) => report.sentences[id] !== undefined));
  const head = names.map((name) => `<th class="n" scope="col">${name}</th>`).join('');
  const total = reports
    .map(
      ({ counts }) =>
        `<td class="n">${cell(counts)}${counts.skipped > 0 ? ` <span class="skip">(${counts.skipped} skipped)</span>` : ''}</td>`,
    )
    .join('');
  const rows = tested.map(({ id, text }) => {
    const cells = reports.map((report) => `<td class="n">${cell(report.sentences[id])}</td>`).join('');
    return `<tr><td>${escape(text)} <span class="id">${escape(id)}</span></td>${cells}</tr>`;
  });
  const forms = [...new Set(reports.flatMap((report) => Object.keys(report.forms)))].sort().map((form) => {
    const cells = reports.map((report) => `<td class="n">${cell(report.forms[form])}</td>`).join('');
    return `<tr><td>${escape(form)}</td>${cells}</tr>`;
  });
  const failures = reports.flatMap((report, index) => {
    if (report.failures.length === 0) return [];
    const maxFailures = report.failures
      .slice(0, printedFailures)
      .map(
        ({ id, expression, schema, row, expected, got }) =>
          `<pre>${escape([id, expression, ...(schema ? [`schema ${schema}`] : []), ...(row ? [row] : []), `expected ${expected}`, `got ${got}`].join('\n'))}</pre>`,
      );
    const ids = report.failures.map(({ id }) => escape(id)).join(' ');
    return [
      `<h2>${names[index]}: the first of ${report.failures.length} failures</h2>`,
      ...maxFailures,
      `<details><summary>All that failed</summary><pre>${ids}</pre></details>`,
    ];
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Conformance</title><style>${style}</style></head>
<body><h1>Conformance with the language of filters</h1>
<table><thead><tr><th scope="col">Sentence</th>${head}</tr></thead>
<tbody><tr><th scope="row">All cases</th>${total}</tr>
${rows.join('\n')}
</tbody></table>
<h2>What only the dialect standard reads</h2>
<table><thead><tr><th scope="col">Form</th>${head}</tr></thead>
<tbody>${forms.join('\n')}</tbody></table>
${failures.join('\n')}
</body></html>
`;
}

/** @param {import('./report.mjs').Counts | undefined} counts */
function cell(counts) {
  if (counts === undefined) return '';
  const { passed, failed } = counts;
  if (passed + failed === 0) return '<span class="skip">skipped</span>';
  const look = failed === 0 ? 'pass' : 'fail';
  return `<span class="${look}">${failed === 0 ? '✓' : '✗'} ${passed}/${passed + failed}</span>`;
}

/** @param {string} text */
function escape(text) {
  const names = new Map([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
  ]);
  return text.replace(/[&<>"]/g, (found) => names.get(found) ?? found);
}
