import type { ConfigObject } from './config-tree.js';
import { parseHcl } from './hcl-parser.js';
import { parseJsonConfig } from './json-parser.js';
import { defaultConfigLimits, type ConfigLimits } from './limits.js';
import { SourceText } from './source-text.js';

export interface ParseConfigOptions {
  /** What to call the text in messages, such as its file. */
  readonly name: string;
  /**
   * `auto`, the default: JSON when the first character is `{`, which no HCL begins with, else HCL 1. With `hcl2` expressions are
   * kept as they are written, and `null`, `:` in objects and the indentation of `<<-` are those of version 2.
   */
  readonly syntax?: 'hcl' | 'hcl2' | 'json' | 'auto';
  readonly limits?: Partial<ConfigLimits>;
}

/**
 * Reads a configuration text into its tree.
 *
 * @throws ConfigError with the first place that is no HCL, or no JSON.
 */
export function parseConfig(text: string, options: ParseConfigOptions): ConfigObject {
  const { name, syntax = 'auto', limits } = options;
  const source = new SourceText(text, name, { ...defaultConfigLimits, ...limits }, syntax === 'hcl2');
  const json = syntax === 'json' || (syntax === 'auto' && /^\uFEFF?[ \t\r\n]*\{/.test(text));
  return json ? parseJsonConfig(source) : parseHcl(source);
}
