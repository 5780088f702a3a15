import { readFields, type Block, type Fields } from './block-readers.js';
import { ConfigError, type ConfigMistake } from './config-error.js';
import type { ConfigObject } from './config-tree.js';
import type { Report } from './reader.js';

export interface DecodeOptions {
  /** How unknown keys are reported. Default: `mistake`. */
  readonly unknown?: 'mistake' | 'warning';
  readonly onWarning?: (warning: ConfigMistake) => void;
}

/** Maximum number of unknown keys for which a suggestion is computed. Prevents a file of unknown keys from taking seconds. */
const maxSuggestions = 100;

/**
 * Decodes the settings in a tree. Continues after mistakes.
 *
 * @throws ConfigError with all mistakes, in source order.
 */
export function decodeConfig<F extends Fields>(
  root: ConfigObject,
  fields: F,
  { unknown = 'mistake', onWarning = () => undefined }: DecodeOptions = {},
): Block<F> {
  const mistakes: ConfigMistake[] = [];
  let described = 0;
  const describeUnknown = (describe: () => string): string => {
    described += 1;
    return described > maxSuggestions ? 'there is no such setting' : describe();
  };
  const report: Report = {
    mistake: (at, path, problem) => void mistakes.push({ at, path, problem }),
    unknown(at, path, found) {
      const problem = typeof found === 'string' ? found : describeUnknown(found);
      if (unknown === 'mistake') mistakes.push({ at, path, problem });
      else onWarning({ at, path, problem });
    },
  };
  const values = readFields(fields, root, '', report);
  if (mistakes.length > 0) throw new ConfigError(mistakes.sort(byPlace));
  return values;
}

function byPlace(a: ConfigMistake, b: ConfigMistake): number {
  return a.at.line - b.at.line || a.at.column - b.at.column;
}
