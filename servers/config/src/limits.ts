/** Limits of one configuration. */
export type ConfigLimits = Readonly<Record<keyof typeof defaultConfigLimits, number>>;

export const defaultConfigLimits = Object.freeze({
  /** Maximum length of the source, in UTF-16 units. Prevents a wrong file, such as an image, from filling memory. */
  maxLength: 1_048_576,
  /** Maximum nesting of blocks and lists. Prevents many brackets from exhausting the stack. */
  maxDepth: 32,
  /** Maximum length of a heredoc, in UTF-16 units. Prevents a missing end marker from reading the whole file as one value. */
  maxHeredocLength: 65_536,
});
