import type { ConfigObject } from './config-tree.js';
import { parseHcl } from './hcl-parser.js';
import { parseJsonConfig } from './json-parser.js';
import { defaultConfigLimits, type ConfigLimits } from './limits.js';
import { SourceText } from './source-text.js';

export interface ParseConfigOptions {
  /** Name of the source in messages, such as its file. */
  readonly name: string;
  /**
   * Syntax of the source. Default: `auto`, which is JSON if the first character is `{`, otherwise HCL 1. `hcl2` keeps expressions
   * as written, and has `null`, `:` in objects and the indentation of `<<-` of version 2.
   */
  readonly syntax?: 'hcl' | 'hcl2' | 'json' | 'auto';
  readonly limits?: Partial<ConfigLimits>;
}

/**
 * Parses a configuration into a tree.
 *
 * @throws ConfigError at the first position that is not valid HCL or JSON.
 */
export function parseConfig(text: string, options: ParseConfigOptions): ConfigObject {
  const { name, syntax = 'auto', limits } = options;
  const source = new SourceText(text, name, { ...defaultConfigLimits, ...limits }, syntax === 'hcl2');
  const json = syntax === 'json' || (syntax === 'auto' && /^\uFEFF?[ \t\r\n]*\{/.test(text));
  return json ? parseJsonConfig(source) : parseHcl(source);
}
