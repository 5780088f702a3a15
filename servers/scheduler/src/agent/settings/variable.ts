/** The prefix of all variables. */
export const variablePrefix = 'SCHEDULER_';

/** Returns the environment variable of the setting at a path. */
export function variableOf(path: string): string {
  return `${variablePrefix}${path.replaceAll('.', '_').toUpperCase()}`;
}
