import picocolors from 'picocolors';
import { tokenize } from '../language/syntax/lexer.js';
import { isName, isOneOf } from '../language/syntax/tokens.js';
import * as type from '../language/syntax/tokens.js';

/** Colours a filter without changing its width: only colour codes are added. */
export type Highlighter = (text: string) => string;

/**
 * Creates a function that colours names, keywords, literals and invalid tokens. Without colour support it returns the string
 * unchanged.
 */
export function createHighlighter(hasColour: boolean): Highlighter {
  if (!hasColour) return (text) => text;
  const { cyan, green, magenta, red, yellow } = picocolors.createColors(true);
  const literals = [type.Text, type.Pointer, type.RawText];
  return (text) => {
    let painted = '';
    let at = 0;
    let isPart = false;
    for (const token of tokenize(text)) {
      painted += text.slice(at, token.startOffset);
      at = token.startOffset + token.image.length;
      const isWord = isName(token) && !isOneOf(token, type.Name) && !isPart;
      if (isWord) painted += magenta(token.image);
      else if (isOneOf(token, ...literals)) painted += green(token.image);
      else if (isOneOf(token, type.NumberLiteral)) painted += yellow(token.image);
      else if (type.isA(token, type.Infix)) painted += magenta(token.image);
      else if (isOneOf(token, type.Unknown)) painted += red(token.image);
      else painted += isName(token) ? cyan(token.image) : token.image;
      isPart = isOneOf(token, type.Dot);
    }
    return painted + text.slice(at);
  };
}
