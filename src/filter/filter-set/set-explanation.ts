import { clausesOf } from '../compile/plan.js';
import { explain } from '../explain-filter.js';
import type { RowExplanation } from '../explain/explanation.js';
import type { Filter } from '../filter.js';
import { indexedClauses, type Access } from './access.js';
import type { RowView } from './row-view.js';
import { leadsHere, type SavedFilter } from './saved-filter.js';

/** Describes how a filter of a set is found. */
export interface FilterAccess {
  /** The fields whose values lead to the filter; empty if it is evaluated for every row. */
  readonly fields: readonly string[];
  /** The source of the clauses that values of the row alone decide. */
  readonly indexed: readonly string[];
  /** The source of the clauses that are evaluated if the indexed ones are true. */
  readonly evaluated: readonly string[];
  /** A one-sentence description of how it is found. */
  readonly reason: string;
}

/** Like {@link FilterAccess}, for one row. */
export interface CandidateExplanation extends FilterAccess {
  /** Whether the row leads to the filter. If not, the filter neither matches nor fails. */
  readonly isCandidate: boolean;
  /** The result of the filter for the row, as `Filter.explain`. */
  readonly row: RowExplanation;
}

/** Returns how a filter is found. */
export function explainAccess({ access, ways }: SavedFilter, { ast, source }: Filter): FilterAccess {
  const clauses = clausesOf(ast);
  const indexed = indexedClauses(ways);
  const texts = (areIndexed: boolean): string[] =>
    clauses
      .filter((_, at) => indexed.has(at) === areIndexed)
      .map(({ span }) => source.slice(span.start, span.end));
  const fields = access === null ? [] : fieldsOf(access);
  return {
    fields,
    indexed: texts(true),
    evaluated: texts(false),
    reason:
      access === null
        ? 'evaluated for every row: no clause can be looked up before one that may fail'
        : `found by ${fields.join(' or ')}`,
  };
}

/** Returns why a row leads to a filter, or does not. */
export function explainCandidate(
  saved: SavedFilter,
  filter: Filter,
  view: RowView<SavedFilter>,
): CandidateExplanation {
  const found = explainAccess(saved, filter);
  const row = explain(filter, view.row);
  const { access } = saved;
  if (access === null) return { ...found, isCandidate: true, row };
  const leads = leadsHere(access, view);
  const isCandidate = leads !== false;
  return { ...found, isCandidate, reason: reasonOf(access, leads, view), row };
}

function reasonOf(access: Access<SavedFilter>, leads: boolean | null, view: RowView<SavedFilter>): string {
  const fields = fieldsOf(access).join(' or ');
  if (leads === null) return `candidate because the row may not fit the schema in ${fields} or before it`;
  if (!leads) return `not a candidate: ${fields} of the row leads to other filters`;
  const hits = access.probes.filter((probe) => probe.matches(view.keysIn(probe.postings) ?? []));
  return `candidate because of ${fieldsOf({ probes: hits }).join(' and ')}`;
}

function fieldsOf({ probes }: Pick<Access<SavedFilter>, 'probes'>): string[] {
  return [...new Set(probes.map(({ postings }) => postings.field))];
}
