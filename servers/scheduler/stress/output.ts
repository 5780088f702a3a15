/** One figure of a stress test. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Tells how far a stress test is: one line that is overwritten on a terminal. */
export type Progress = (text: string) => void;

export function terminalProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return () => undefined;
  return (text) => void stream.write(`\r\x1b[K${text}`);
}

/** The figures in columns. */
export function printFigures(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map(({ name, value, unit }) => {
    const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
    return `${name.padEnd(width)}  ${value.toFixed(digits).padStart(12)} ${unit}`;
  });
  return `${lines.join('\n')}\n`;
}
