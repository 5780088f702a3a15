/** Maximum findings of one list in a message. Prevents large responses to large invalid jobs. */
const maxListed = 100;

/** Joins mistakes to one string, formatted as in the original scheduler. */
export function listErrors(errors: readonly string[]): string {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return `${count} occurred:\n\t${listed(errors).join('\n\t')}\n\n`;
}

/** Returns several warnings as one string, in the same form; empty if none exist. */
export function listWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  return `${warnings.length} warning(s):\n\n${listed(warnings).join('\n')}`;
}

function listed(findings: readonly string[]): string[] {
  const lines = findings.slice(0, maxListed).map((finding) => `* ${finding}`);
  return findings.length > maxListed ? [...lines, `* and ${findings.length - maxListed} more`] : lines;
}

/** Returns the mistakes in a part of a job as one finding; empty without mistakes. */
export function within(what: string, errors: readonly string[]): string[] {
  return errors.length === 0 ? [] : [`${what} validation failed: ${listErrors(errors)}`];
}

/** Returns a list with the finding if the condition holds, otherwise an empty list. */
export function when(condition: boolean, finding: string | (() => string)): string[] {
  if (!condition) return [];
  return [typeof finding === 'string' ? finding : finding()];
}

const minute = 60_000_000_000n;

/** Formats nanoseconds as Go durations: `1h0m0s`, `1m30s`, `2.5s`, `10ms`, `1µs`. */
export function formatDuration(nanoseconds: number | bigint): string {
  const exact = BigInt(nanoseconds);
  if (exact === 0n) return '0s';
  if (exact < 0n) return `-${formatDuration(-exact)}`;
  if (exact < 1_000n) return `${exact}ns`;
  if (exact < 1_000_000n) return `${Number(exact) / 1e3}µs`;
  if (exact < 1_000_000_000n) return `${Number(exact) / 1e6}ms`;
  const seconds = `${Number(exact % minute) / 1e9}s`;
  const minutes = exact / minute;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}
