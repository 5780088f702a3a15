/** The prefix of all variables. */
export const variablePrefix = 'SCHEDULER_';

/** The variable of the environment that gives the setting at a path. */
export function variableOf(path: string): string {
  return `${variablePrefix}${path.replaceAll('.', '_').toUpperCase()}`;
}
