/** Limits of one configuration. */
export interface ConfigLimits {
  /** Maximum length of the source, in UTF-16 units. Prevents a wrong file, such as an image, from filling memory. */
  readonly maxLength: number;
  /** Maximum nesting of blocks and lists. Prevents many brackets from exhausting the stack. */
  readonly maxDepth: number;
  /** Maximum length of a heredoc, in UTF-16 units. Prevents a missing end marker from reading the whole file as one value. */
  readonly maxHeredocLength: number;
}

export const defaultConfigLimits: ConfigLimits = Object.freeze({
  maxLength: 1_048_576,
  maxDepth: 32,
  maxHeredocLength: 65_536,
});
