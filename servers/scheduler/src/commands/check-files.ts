import { ConfigError, formatMistake, type ConfigMistake } from '@tamis/config';
import { buildConfig } from '../settings/build-config.js';
import { readSettings, type SettingsFile } from '../settings/read-settings.js';

/** Mistakes in configuration files, read one over the other as the agent reads them. */
export function findMistakes(files: readonly SettingsFile[]): readonly ConfigMistake[] {
  try {
    const { given } = readSettings({ files, environment: {}, flags: new Map() });
    buildConfig(given, { devMode: false, files: files.map(({ name }) => name) });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

/** The mistakes for a script: one object. */
export function mistakesAsJson(mistakes: readonly ConfigMistake[]): string {
  const rows = mistakes.map(({ at: { source, line, column }, path, problem }) => ({
    source,
    line,
    column,
    setting: path,
    problem,
  }));
  return `${JSON.stringify({ valid: rows.length === 0, mistakes: rows })}\n`;
}

/** The mistakes for a reader: a line each. */
export function mistakesAsText(mistakes: readonly ConfigMistake[]): string {
  return mistakes.map((mistake) => `${formatMistake(mistake)}\n`).join('');
}
