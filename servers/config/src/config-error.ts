/** A configuration file that cannot be read. The message names the file, the line and the column. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
