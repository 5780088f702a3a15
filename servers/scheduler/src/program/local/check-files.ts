import { ConfigError, formatMistake, type ConfigMistake, type GivenSettings } from '@tamis/config';
import type { TlsConfig } from '../../agent/settings/agent-config.js';
import { buildConfig, unsaid } from '../../agent/settings/build-config.js';
import { readSettings, type SettingsFile } from '../../agent/settings/read-settings.js';
import { TlsError } from '../../agent/settings/tls-material.js';

/** File access for the checks. */
export interface CheckDependencies {
  /** Reads the certificates as the agent does. @throws TlsError */
  readonly readTls: (tls: TlsConfig) => Promise<unknown>;
}

/** Returns mistakes in configuration files, merged as the agent does, and in their certificates. */
export async function findMistakes(
  files: readonly SettingsFile[],
  { readTls }: CheckDependencies,
): Promise<readonly ConfigMistake[]> {
  try {
    const { given } = readSettings({ files, environment: {}, flags: new Map() });
    const { tls } = buildConfig(given, { devMode: false, files: files.map(({ name }) => name) });
    if (tls === null) return [];
    return await readTls(tls).then(
      () => [],
      (error: unknown) => [tlsMistake(error, given)],
    );
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}

/** @throws errors that are not certificate mistakes */
function tlsMistake(error: unknown, given: GivenSettings): ConfigMistake {
  if (!(error instanceof TlsError)) throw error;
  const { setting, message } = error;
  const { at = unsaid } = given[setting] ?? {};
  return { at, path: setting, problem: message };
}

/** Returns the mistakes as one JSON object. */
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

/** Returns the mistakes as lines for a reader. */
export function mistakesAsText(mistakes: readonly ConfigMistake[]): string {
  return mistakes.map((mistake) => `${formatMistake(mistake)}\n`).join('');
}
