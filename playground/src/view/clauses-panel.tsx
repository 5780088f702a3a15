import type { ClauseReport, FilterProblem } from '../protocol.js';
import type { Playground } from '../state/playground.js';
import { counted, countText } from './numbers.js';

/** What each clause leaves of the rows, why nothing matches, and what looks wrong. */
export function ClausesPanel({ playground }: { readonly playground: Playground }) {
  const report = playground.report.value;
  const findings = playground.inspection.value?.findings ?? [];
  if (playground.inspection.value === null)
    return <p class="empty">Write a filter to see what its clauses do.</p>;
  return (
    <>
      {report !== null && <Funnel report={report} playground={playground} />}
      {report !== null && report.blocking !== null && <WhyEmpty report={report} playground={playground} />}
      <h2>Lint</h2>
      {findings.length === 0 ? (
        <p class="quiet">Nothing looks wrong.</p>
      ) : (
        <ul class="plain">
          {findings.map((finding, index) => (
            <Finding key={index} finding={finding} playground={playground} />
          ))}
        </ul>
      )}
    </>
  );
}

function Funnel({ report, playground }: { readonly report: ClauseReport; readonly playground: Playground }) {
  const { rows, clauses, isPartial, blocking } = report;
  return (
    <>
      <h2>
        What each clause leaves of {isPartial ? 'the first ' : ''}
        {counted(rows, 'row')}
      </h2>
      <table class="funnel">
        <thead>
          <tr>
            <th scope="col">Clause</th>
            <th scope="col">Alone</th>
            <th scope="col">Left</th>
          </tr>
        </thead>
        <tbody>
          {clauses.map((clause, index) => (
            <tr
              key={index}
              class={index === blocking ? 'blocking' : undefined}
              onMouseEnter={() => {
                playground.highlighted.value = clause.span;
              }}
              onMouseLeave={() => {
                playground.highlighted.value = null;
              }}
            >
              <td>
                <code>{clause.text}</code>
                <meter min={0} max={Math.max(1, rows)} value={clause.surviving} aria-label="Rows left" />
                {clause.failed > 0 && <span class="warning">{counted(clause.failed, 'row')} failed</span>}
              </td>
              <td class="number">{countText(clause.alone)}</td>
              <td class="number">{countText(clause.surviving)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The most frequent value is the longest bar. */
function WhyEmpty({
  report,
  playground,
}: {
  readonly report: ClauseReport;
  readonly playground: Playground;
}) {
  const max = Math.max(1, ...report.values.map(({ count }) => count));
  return (
    <>
      <h2>Why nothing matches</h2>
      <p>{report.summary}</p>
      <Fixes fixes={report.suggestions} playground={playground} />
      {report.values.length > 0 && (
        <table class="values">
          <caption class="quiet">
            What rows have there{report.hasMoreValues ? ', the most frequent' : ''}
          </caption>
          <tbody>
            {report.values.map(({ text, count }) => (
              <tr key={text}>
                <td>
                  <code>{text}</code>
                </td>
                <td>
                  <meter min={0} max={max} value={count} aria-label={`Rows with ${text}`} />
                </td>
                <td class="number">{countText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Finding({
  finding,
  playground,
}: {
  readonly finding: FilterProblem;
  readonly playground: Playground;
}) {
  return (
    <li>
      <span class="warning">{finding.message}</span>{' '}
      {finding.hint !== null && <span class="quiet">{finding.hint}</span>}
      <Fixes fixes={finding.suggestions} playground={playground} />
    </li>
  );
}

/** Corrections as buttons. */
function Fixes({
  fixes,
  playground,
}: {
  readonly fixes: FilterProblem['suggestions'];
  readonly playground: Playground;
}) {
  return (
    <p class="fixes">
      {fixes.slice(0, 3).map((fix, index) => (
        <button
          key={index}
          type="button"
          class="fix"
          onClick={() => {
            const { value: text } = playground.text;
            playground.setText(text.slice(0, fix.span.start) + fix.replacement + text.slice(fix.span.end));
          }}
        >
          {fix.title}
        </button>
      ))}
    </p>
  );
}
