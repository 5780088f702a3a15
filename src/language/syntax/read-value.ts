import type { Value } from './ast.js';
import type { DialectChecker } from './dialect-checker.js';
import { makeSpan, makeValue } from './factory.js';
import { fail } from './failure.js';
import { type Decoded, isPointer, pointerSegments, unquote, unquoteRaw } from './literal.js';
import { isWordCharacter, wordEnd } from './characters.js';
import { type Lexeme, spanOf } from './tokens.js';

/** Returns the value of a number. Fails if a word character or a dot follows. */
export function readNumber(text: string, token: Lexeme): Value {
  const span = spanOf(token);
  const next = text.charCodeAt(span.end);
  if (isWordCharacter(next) || next === 0x2e) {
    fail('invalid-number', 'numberEnd', makeSpan(span.start, wordEnd(text, span.end)), span.end);
  }
  return makeValue(token.image, true, false, 'number', span);
}

/**
 * Returns the value of a literal in quotes or backticks. Only go-bexpr reads a quoted literal that looks like a pointer as one.
 */
export function readText(token: Lexeme, checker: DialectChecker): Value {
  const span = spanOf(token);
  const { text, wellFormed } = decodeLiteral(token);
  if (token.image.charCodeAt(0) === backtick) return makeValue(text, true, false, 'raw', span);
  // A string that looks like a pointer has no escapes, so it equals its body.
  if (!text.startsWith('/') || !wellFormed || !looksLikePointer(token)) {
    return makeValue(text, wellFormed, false, 'quoted', span);
  }
  if (checker.dialect === 'go-bexpr') {
    return makeValue(pointerSegments(text).join('/'), true, false, 'quoted', span);
  }
  checker.notePointerValue(span);
  return makeValue(text, true, false, 'quoted', span);
}

const backtick = 0x60;

function looksLikePointer({ image }: Lexeme): boolean {
  return isPointer(image.slice(1, -1));
}

/** Returns the value of a literal in quotes or backticks with its flag. */
export function readCaseless({ image, startOffset, tokenTypeIdx }: Lexeme): Value {
  const literal = { image: image.slice(0, -1), startOffset, tokenTypeIdx };
  const { text, wellFormed } = decodeLiteral(literal);
  const form = image.charCodeAt(0) === backtick ? 'raw' : 'quoted';
  return makeValue(text, wellFormed, true, form, makeSpan(startOffset, startOffset + image.length));
}

/** Returns the value of a literal that begins with a digit and is not a number. */
export function readTyped(token: Lexeme): Value {
  return makeValue(token.image, true, false, 'typed', spanOf(token));
}

/** Returns the value of `now - 7d`, with normalised blanks. */
export function readClock(token: Lexeme): Value {
  const rest = token.image.slice('now'.length).trimStart();
  const text = `now ${rest.charAt(0)} ${rest.slice(1).trimStart()}`;
  return makeValue(text, true, false, 'now', spanOf(token));
}

/** Decodes a literal in quotes or backticks. */
export function decodeLiteral({ image, startOffset }: Lexeme): Decoded {
  const body = image.slice(1, -1);
  if (image.charCodeAt(0) === backtick) return { text: unquoteRaw(body), wellFormed: true };
  const decoded = unquote(body);
  if (!('reason' in decoded)) return decoded;
  const start = startOffset + 1;
  const flaw = makeSpan(start + decoded.start, start + decoded.end);
  fail('bad-string', decoded.reason, flaw, startOffset);
}
