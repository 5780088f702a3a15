import { writeJson } from '@tamis/http';
import { ApiError } from './api/api-error.js';
import type { Parameters } from './api/api-client.js';
import { tableLines, type Column } from './terminal/table.js';
import { CommandError } from './command-error.js';
import type { Given } from './given.js';
import { UsageError } from './usage-error.js';
import { writeResponse, writeLines, type Session } from './session.js';
import type {
  EmptyExplanation,
  BlockingClause,
  ScanExplanation,
} from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { sanitizeForTerminal } from './terminal/escape-terminal.js';

/** A list of the API and its display. */
export interface ListView<T> {
  /** API path, such as `/v1/jobs`. */
  readonly path: string;
  readonly columns: readonly Column<T>[];
  readonly parameters?: Parameters;
  /** Whether the newest rows come first by default. */
  readonly isNewestFirst?: true;
  /** The message for an empty list, with advice. */
  readonly empty: string;
}

/** Number of rows per request: large enough for few requests, small enough to keep in memory. */
const pageSize = 500;
/** Maximum number of rows shown on a terminal. */
const terminalLimit = 200;

/** Prints a list page by page: its beginning on a terminal, all of it in a pipe. */
export async function listRows<T>(session: Session, given: Given, view: ListView<T>): Promise<void> {
  if (given.texts('filter').length > 1)
    throw new UsageError('--filter must be given once: join its conditions with and, or with or');
  const facets = given.texts('facets').join(',');
  if (facets !== '') return printFacets(session, given, view, facets);
  const limit = given.count('limit') ?? (session.out.isTerminal && !session.isJson ? terminalLimit : 0);
  const pages = pagesOf<T>(session, given, view, limit);
  const printed = session.isJson
    ? await writeJsonRows(session, pages)
    : await writeTable(session, pages, view);
  if (printed === 0) {
    await requireNamespace(session);
    if (!session.isJson) await session.err.write(`${(await emptyLines(session, given, view)).join('\n')}\n`);
  }
}

/** Returns why there are no rows, possibly because of a filter. */
async function emptyLines<T>(
  session: Session,
  given: Given,
  { empty, path, parameters = {} }: ListView<T>,
): Promise<readonly string[]> {
  const filter = given.text('filter');
  if (filter === null) return [empty];
  return nothingMatches(session, path, { namespace: session.namespace, filter, ...parameters });
}

/**
 * Distinguishes an empty namespace from a missing one, which may be a typing mistake.
 *
 * @throws CommandError
 */
export async function requireNamespace({ api, namespace }: Session): Promise<void> {
  if (namespace === null || namespace === '*') return;
  try {
    await api.get(`/v1/namespace/${encodeURIComponent(namespace)}`);
  } catch (error) {
    // Callers without access to the namespace receive no information about it.
    if (!(error instanceof ApiError) || error.status !== 404) return;
    throw new CommandError(
      `There is no namespace ${JSON.stringify(namespace)}: scheduler namespace list shows those that are there`,
    );
  }
}

interface Counts {
  readonly Total: number | bigint;
  readonly Facets: Readonly<Record<string, Facet>>;
}

interface Facet {
  readonly Values: readonly { readonly Value: unknown; readonly Count: number | bigint }[];
  readonly Others: number | bigint;
}

/** Prints the number of matching rows, and the counts of some fields' values. */
async function printFacets<T>(
  session: Session,
  given: Given,
  { path, parameters = {} }: ListView<T>,
  facets: string,
): Promise<void> {
  const { api, layout, namespace } = session;
  const other = ['sort', 'limit'].find((flag) => given.text(flag) !== null);
  if (other !== undefined) throw new UsageError(`--facets counts all that matches: leave out --${other}`);
  const query: Parameters = { namespace, filter: given.text('filter'), facets, ...parameters };
  const { body } = await api.get<Counts>(path, query);
  const lines = Object.entries(body.Facets).flatMap(([field, { Values, Others }]) => {
    const values = Values.map(({ Value, Count }) => [String(Value), String(Count)] as const);
    const others = Number(Others) === 0 ? [] : [['(others)', String(Others)] as const];
    const columns: readonly Column<readonly [string, string]>[] = [
      { title: field.toUpperCase(), cell: ([value]) => value, isWhole: true },
      { title: 'COUNT', cell: ([, count]) => count },
    ];
    return ['', ...tableLines(columns, [...values, ...others], layout)];
  });
  await writeResponse(session, body, () => [`${body.Total} in all`, ...lines]);
}

interface RowPage<T> {
  readonly rows: readonly T[];
  /** Whether there are more rows than requested. */
  readonly isCut: boolean;
}

async function* pagesOf<T>(
  { api, namespace }: Session,
  given: Given,
  { path, parameters = {}, isNewestFirst }: ListView<T>,
  limit: number,
): AsyncGenerator<RowPage<T>> {
  const sort = given.text('sort');
  const query: Parameters = {
    ...{ namespace, filter: given.text('filter'), sort },
    ...(isNewestFirst === true && sort === null ? { reverse: true } : {}),
    ...parameters,
  };
  let left = limit === 0 ? Infinity : limit;
  for (let token: string | null = ''; token !== null && left > 0;) {
    const per_page = Math.min(pageSize, left);
    const page: { body: readonly T[]; next: string | null } = await api.get<readonly T[]>(path, {
      ...query,
      ...{ per_page, next_token: token },
    });
    left -= page.body.length;
    token = page.next;
    yield { rows: page.body, isCut: left <= 0 && token !== null };
  }
}

async function writeJsonRows<T>({ out }: Session, pages: AsyncIterable<RowPage<T>>): Promise<number> {
  let printed = 0;
  for await (const { rows } of pages) {
    for (const row of rows) {
      await out.write(`${printed === 0 ? '[' : ','}\n${writeJson(row)}`);
      printed += 1;
    }
  }
  await out.write(printed === 0 ? '[]\n' : '\n]\n');
  return printed;
}

async function writeTable<T>(
  session: Session,
  pages: AsyncIterable<RowPage<T>>,
  { columns }: ListView<T>,
): Promise<number> {
  const { err, palette } = session;
  let printed = 0;
  for await (const { rows, isCut } of pages) {
    const lines = tableLines(columns, rows, session.layout);
    if (rows.length > 0) await writeLines(session, printed === 0 ? lines : lines.slice(1));
    printed += rows.length;
    if (isCut) await err.write(palette.faint(`The first ${printed}. More: --limit N, or --filter\n`));
  }
  return printed;
}

/** Maximum number of values named per clause. */
const maxValues = 5;

/**
 * Returns lines that explain why a filter matches nothing: the clauses without matches, the existing values, and the probable
 * intent. Only the first line if the agent does not provide an explanation.
 */
async function nothingMatches({ api }: Session, path: string, query: Parameters): Promise<readonly string[]> {
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
