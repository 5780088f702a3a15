import { ConfigError } from './config-error.js';
import type { ConfigLimits } from './limits.js';
import { createLocator, type Position } from './position.js';

/** The source being parsed, with the current offset and error reporting. Shared by the parsers of both syntaxes. */
export class SourceText {
  readonly text: string;
  readonly limits: ConfigLimits;
  /** The offset of the next character. */
  at = 0;
  /** Whether the source is parsed as HCL 2. */
  readonly isHcl2: boolean;
  private depth = 0;
  private readonly locate: (offset: number) => Position;

  constructor(text: string, name: string, limits: ConfigLimits, isHcl2 = false) {
    this.text = text;
    this.limits = limits;
    this.isHcl2 = isHcl2;
    this.locate = createLocator(text, name);
    if (text.length > limits.maxLength) {
      this.fail(`the text is longer than ${limits.maxLength} characters`, 0);
    }
  }

  /** Returns a source for a changed part of this one, to be parsed separately. Its positions are relative to that part. */
  derive(text: string): SourceText {
    return new SourceText(text, '', this.limits, this.isHcl2);
  }

  position(offset = this.at): Position {
    return this.locate(offset);
  }

  /** @throws ConfigError always */
  fail(problem: string, offset = this.at): never {
    throw new ConfigError([{ at: this.locate(offset), path: '', problem }]);
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  /** Returns the match of a sticky pattern at the current offset and moves past it; null if it does not match. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at = pattern.lastIndex;
    return match[0];
  }

  /** Skips a character if it is the next one. Returns whether it was. */
  skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  /** Calls a function one nesting level deeper. @throws ConfigError if the nesting is too deep */
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > this.limits.maxDepth) this.fail(`nested deeper than ${this.limits.maxDepth} levels`);
    const value = read();
    this.depth -= 1;
    return value;
  }

  /** Describes the next word or character for messages: short, and without control characters. */
  describeNext(): string {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) return 'the end of the text';
    const word = /[\p{L}_][\p{L}\p{Nd}_.-]{0,29}/uy;
    word.lastIndex = this.at;
    const found = word.exec(this.text)?.[0] ?? String.fromCodePoint(code);
    return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(found)
      ? JSON.stringify(found)
      : `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
}
