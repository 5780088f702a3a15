/** What one configuration may cost. */
export interface ConfigLimits {
  /** Longest text in UTF-16 units. Stops a wrong file, such as an image, from filling the memory. */
  readonly maxLength: number;
  /** Deepest nesting of blocks and lists. Stops a line of brackets from exhausting the stack. */
  readonly maxDepth: number;
  /** Longest heredoc in UTF-16 units. Stops a forgotten end marker from swallowing the file into one value. */
  readonly maxHeredocLength: number;
}

export const defaultConfigLimits: ConfigLimits = Object.freeze({
  maxLength: 1_048_576,
  maxDepth: 32,
  maxHeredocLength: 65_536,
});
