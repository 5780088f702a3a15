import { formatPosition, type Position } from './position.js';

/** A mistake in a configuration. */
export interface ConfigMistake {
  readonly at: Position;
  /** Path of the setting, such as `listener "tcp".address`; empty for the whole source. */
  readonly path: string;
  /** The problem and its fix, without the position. Never contains the value of a setting that may be any string. */
  readonly problem: string;
}

/** Maximum number of mistakes in an error. Prevents an endless message for a file with many mistakes. */
const maxMistakes = 100;

/** Error for an invalid configuration. The message has a line for each mistake, in source order. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly ConfigMistake[];

  constructor(mistakes: readonly ConfigMistake[]) {
    const listed = mistakes.slice(0, maxMistakes).map(formatMistake);
    const hidden = mistakes.length - listed.length;
    super([...listed, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n'));
    this.mistakes = mistakes;
  }
}

/** Formats a mistake for messages: `agent.hcl:3:14: ports.http: expected a whole number, found a list`. */
export function formatMistake({ at, path, problem }: ConfigMistake): string {
  return `${formatPosition(at)}: ${path === '' ? '' : `${path}: `}${problem}`;
}
