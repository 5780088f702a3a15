import { formatPosition, type Position } from './position.js';

/** One thing that is wrong. */
export interface ConfigMistake {
  readonly at: Position;
  /** The setting, such as `listener "tcp".address`; empty for the text as a whole. */
  readonly path: string;
  /** What is wrong and what to write instead, without the place. Never the value of a setting that is any text. */
  readonly problem: string;
}

/** Most mistakes that one error carries. Stops a file of nothing but mistakes from making an endless message. */
const maxMistakes = 100;

/** A configuration that cannot be used. The message has a line for each mistake, the first ones first. */
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

/** `agent.hcl:3:14: ports.http: expected a whole number, found a list`. */
export function formatMistake({ at, path, problem }: ConfigMistake): string {
  return `${formatPosition(at)}: ${path === '' ? '' : `${path}: `}${problem}`;
}
