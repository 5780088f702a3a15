/** What a scenario found, ready to be printed. */
export interface Report {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
  /** What the summary compares with its aims, by name. */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Sets a table in columns: the first flush left, the others flush right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export function printReport({ title, header, rows, notes }: Report): string {
  return [`## ${title}`, '', printTable(header, rows), ...(notes.length > 0 ? ['', ...notes] : []), ''].join(
    '\n',
  );
}

/** A number with about three digits that matter: 0.123, 1.23, 12.3, 123. */
export function digits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  // Below, toPrecision changes to exponents.
  return value < 1e-6 ? '0' : value.toPrecision(3);
}

/** A time in the unit that reads best. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  if (ms >= 1) return `${digits(ms)} ms`;
  if (ms >= 1e-3) return `${digits(ms * 1e3)} us`;
  return `${digits(ms * 1e6)} ns`;
}

/** A share as whole percent: 0.034 is `3%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
