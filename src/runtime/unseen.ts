/**
 * Characters that nobody sees, that steer a terminal, or that turn the order of what stands beside them: controls, formats,
 * separators of lines, halves of code points, and all that fonts are to leave out. What draws an emoji is none: the marks behind one,
 * and the joiner between two.
 */
export const unseenCharacters =
  /(?![\ufe0e\ufe0f]|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
