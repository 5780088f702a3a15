/** One figure of a stress test. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Findings of a stress test. */
export interface Findings {
  readonly figures: readonly Figure[];
  /** What must be so, and was not. */
  readonly mistakes: readonly string[];
}

/** Tells how far a stress test is: one line that is overwritten on a terminal. */
export type Progress = (text: string) => void;

export function terminalProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return () => undefined;
  return (text) => void stream.write(`\r\x1b[K${text}`);
}

/** Prints findings, as columns or as one line of JSON. Returns the exit code. */
export function report({ figures, mistakes }: Findings, asJson: boolean): number {
  process.stdout.write(asJson ? `${JSON.stringify({ figures, mistakes })}\n` : columns(figures));
  for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
  return mistakes.length === 0 ? 0 : 1;
}

function columns(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map(({ name, value, unit }) => {
    const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
    return `${name.padEnd(width)}  ${value.toFixed(digits).padStart(12)} ${unit}`;
  });
  return `${lines.join('\n')}\n`;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share from 0 to 1. NaN where there are no values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** A whole number of the command line. @throws RangeError */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`--${name} must be a whole number from ${least} to ${most}`);
}
