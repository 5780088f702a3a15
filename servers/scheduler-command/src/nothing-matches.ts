import { ApiError } from './api/api-error.js';
import type { Parameters } from './api/api-client.js';
import type {
  EmptyExplanation,
  BlockingClause,
  ScanExplanation,
} from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { sanitizeForTerminal } from './terminal/escape-terminal.js';
import type { Session } from './session.js';

/** Maximum number of values named per clause. */
const maxValues = 5;

/**
 * Returns lines that explain why a filter matches nothing: the clauses without matches, the existing values, and the probable
 * intent. Only the first line if the agent does not provide an explanation.
 */
export async function nothingMatches(
  { api }: Session,
  path: string,
  query: Parameters,
): Promise<readonly string[]> {
  const reported = await api
    .get<Partial<Pick<ScanExplanation, 'Empty'>> | null>(path, { ...query, explain: true })
    .catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
  const empty = reported?.body?.Empty;
  return [
    'Nothing matches the filter.',
    ...(empty?.Clauses ?? []).flatMap((clause) => clauseLines(clause, sampleOf(empty))),
  ];
}

/** Returns the number of rows with the values, if not all. */
function sampleOf(empty: EmptyExplanation | null | undefined): string {
  if (!empty || empty.RowsSampled >= empty.RowsWithout) return '';
  return `in ${empty.RowsSampled} of ${empty.RowsWithout} rows `;
}

function clauseLines(
  { Filter, HasMoreValues, Instead, Range, Values }: BlockingClause,
  sample: string,
): readonly string[] {
  const values = Values.slice(0, maxValues).map(({ Count, Text }) => `${Text} (${Count})`);
  if (HasMoreValues || Values.length > maxValues) values.push('and others');
  const there =
    Range === null
      ? values.length === 0
        ? []
        : [`${sample}there are ${values.join(', ')}`]
      : [`${sample}there are values from ${Range.Least} to ${Range.Greatest}`];
  return [
    `  ${sanitizeForTerminal([Filter, ...there].join(': '))}`,
    ...(Instead === null ? [] : [`  hint: did you mean ${sanitizeForTerminal(Instead)}`]),
  ];
}
