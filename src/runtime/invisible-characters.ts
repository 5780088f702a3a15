/**
 * Matches characters that are invisible, control a terminal or change the direction of the text around them: controls, format
 * characters, line separators, unpaired surrogates and default-ignorable code points. Not matched: variation selectors after an
 * emoji and the joiner between two.
 */
export const invisibleCharacters =
  /(?![\ufe0e\ufe0f]|(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
