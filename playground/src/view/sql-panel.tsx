import { useEffect, useState } from 'preact/hooks';
import { sqlDialects, type SqlStatement } from '../protocol.js';
import type { Playground } from '../state/playground.js';

const titles = { postgres: 'PostgreSQL', sqlite: 'SQLite', duckdb: 'DuckDB' } as const;

/** The filter as a condition of a database, and the remaining filter for the rows. */
export function SqlPanel({ playground }: { readonly playground: Playground }) {
  const { inspection, result, schema, dialect } = playground;
  const [statement, setStatement] = useState<SqlStatement | null>(null);
  const text = result.value?.text ?? '';
  useEffect(() => {
    let isCurrent = true;
    void playground.writeSql(text, dialect.value).then((found) => {
      if (isCurrent) setStatement(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [playground, inspection.value, text, dialect.value]);
  if (schema.value === null)
    return (
      <p class="empty">What a filter means to a database depends on the schema, which is switched off.</p>
    );
  if (inspection.value === null) return <p class="empty">Write a filter to see it as SQL.</p>;
  return (
    <>
      <div class="segments" role="group" aria-label="Database">
        {sqlDialects.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={dialect.value === each}
            onClick={() => {
              dialect.value = each;
            }}
          >
            {titles[each]}
          </button>
        ))}
      </div>
      {statement !== null && <Statement statement={statement} />}
    </>
  );
}

function Statement({ statement }: { readonly statement: SqlStatement }) {
  const { condition, values, residual, clauses } = statement;
  const open = clauses.filter(({ why }) => why !== null);
  return (
    <>
      <h2>Behind WHERE</h2>
      <p class="quiet">
        Each field is taken for a column of its name that may be null, and a row that lacks one does not fail
        (<code>unresolved: 'absent'</code>).
      </p>
      <pre class="json" tabIndex={0}>
        {condition}
      </pre>
      {values.length > 0 && (
        <>
          <h2>Values</h2>
          <ol class="sql-values">
            {values.map((value, index) => (
              <li key={index}>
                <code>{value}</code>
              </li>
            ))}
          </ol>
        </>
      )}
      <h2>Left to ask of the rows</h2>
      {residual === null ? (
        <p class="quiet">Nothing: the database has the whole answer.</p>
      ) : (
        <pre class="json" tabIndex={0}>
          {residual}
        </pre>
      )}
      {open.length > 0 && (
        <ul class="plain">
          {open.map(({ filter, by, why }, index) => (
            <li key={index}>
              <code>{filter}</code> <span class="warning">{byWords[by]}</span>{' '}
              <span class="quiet">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const byWords = {
  exact: '',
  partial: 'the database leaves out some of the rows:',
  residual: 'the database is not asked:',
} as const;
