import { parse } from 'yaml';

/** A case, described in prose: what is given, what is done, what must come of it. */
export interface ReportCase {
  readonly id: string;
  readonly priority: string;
  readonly given: string;
  readonly when: string;
  readonly then: string;
}

/** A file of cases that cannot be read. */
export class CaseListError extends Error {
  override readonly name = 'CaseListError';
}

/** Reads a file of cases. @throws CaseListError */
export function readCases(text: string): readonly ReportCase[] {
  const file = parse(text, { uniqueKeys: true }) as { readonly cases?: unknown } | null;
  if (!Array.isArray(file?.cases)) throw new CaseListError('the file has no list `cases`');
  const cases = (file.cases as readonly unknown[]).map(readCase);
  const ids = new Set<string>();
  for (const { id } of cases) {
    if (ids.has(id)) throw new CaseListError(`case ${id} is there twice`);
    ids.add(id);
  }
  return cases;
}

function readCase(value: unknown, at: number): ReportCase {
  const text = (name: string): string => {
    const found = (value as Readonly<Record<string, unknown>> | null)?.[name];
    if (typeof found === 'string') return found;
    throw new CaseListError(`case ${at + 1} has no ${name}`);
  };
  return {
    id: text('id'),
    priority: text('prio'),
    given: text('given'),
    when: text('when'),
    then: text('then'),
  };
}
