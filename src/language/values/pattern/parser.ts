/**
 * Parses RE2 syntax as Go 1.19's `regexp` does: the same patterns are accepted, and the others are rejected in the same words
 * with the same fragment quoted, at the first mistake from the left. What a match test does not need (capture groups and their
 * names, laziness) is checked and dropped.
 *
 * Nothing is expanded here: a repetition stays one node, its size is arithmetic, and the stack of open groups is a
 * list, so that no pattern, however deep or large, costs more than its own length.
 */
import { type ClassReading, readClass, readPerlClass, readUnicodeClass } from './class-parser.js';
import { type CodeSet, everything, notNewline } from './code-set.js';
import { CompileBudget } from './compile-account.js';
import { type Cursor, errorFrom, isAtEnd, peek, takeCode } from './cursor.js';
import { readEscape } from './escape.js';
import { foldSet } from './fold.js';
import { assertAt, chars, choice, empty, type Node, type AssertionKind, repeat, sequence } from './node.js';
import { PatternError } from './pattern-error.js';

export interface ParsedPattern {
  readonly node: Node;
  /** Number of automaton instructions with repetitions expanded. */
  readonly size: number;
  /** The Unicode classes that it names. */
  readonly names: ReadonlySet<string>;
}

/** Go's maximum of a repetition count, and of the product of nested ones. */
const maxRepeat = 1_000;
/** Go's maximum height of the tree. Prevents stack exhaustion in later steps. */
const maxHeight = 1_000;
/** Go's maximum size: 128 MB of instructions of 40 bytes. */
const maxSize = 3_355_443;

interface Piece {
  readonly node: Node;
  readonly size: number;
  readonly height: number;
  /** Maximum number of copies of one part required by nested counts above one. */
  readonly copies: number;
}

interface Flags {
  readonly fold: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

interface Group {
  /** Flags to restore after the group. */
  readonly flags: Flags;
  readonly start: number;
  readonly capturing: boolean;
  /** The alternatives that are already complete. */
  readonly options: Piece[];
  /** The parts of the current alternative. */
  parts: Piece[];
}

/**
 * Parses a pattern and charges for its classes.
 * @throws PatternError if the pattern is invalid, PatternLimitError if its classes cost too much.
 */
export function parsePattern(source: string, account = new CompileBudget(Infinity)): ParsedPattern {
  return new PatternParser(source, account).parse();
}

class PatternParser {
  private readonly cursor: Cursor;
  private flags: Flags = { fold: false, multiline: false, dotAll: false };
  /** The open groups, starting with the whole pattern. Never empty. */
  private readonly groups: Group[] = [];
  private current: Group;
  /** Where the run of repetition operators directly before the cursor began; null if there is no such run. */
  private repeatStart: number | null = null;
  private readonly names = new Set<string>();

  constructor(
    source: string,
    private readonly account: CompileBudget,
  ) {
    this.cursor = { source, at: 0 };
    this.current = this.open(0, false);
  }

  parse(): ParsedPattern {
    const { cursor } = this;
    const { source } = cursor;
    // Go reads UTF-8, which cannot encode a lone surrogate.
    const broken = source.search(/\p{Surrogate}/u);
    if (broken >= 0) throw new PatternError('invalid UTF-8', source.slice(broken), broken);
    while (!isAtEnd(cursor)) {
      const before = this.repeatStart;
      this.repeatStart = null;
      this.step(before);
    }
    if (this.groups.length > 1) throw new PatternError('missing closing )', source, this.current.start);
    const { node, size } = this.close();
    if (size > maxSize) throw new PatternError('expression too large', source, 0);
    return { node, size, names: this.names };
  }

  private step(repeatStart: number | null): void {
    const { cursor } = this;
    const start = cursor.at;
    switch (peek(cursor)) {
      case '(':
        return this.openGroup();
      case ')':
        return this.closeGroup();
      case '|':
        cursor.at += 1;
        this.current.options.push(this.joined(this.current));
        this.current.parts = [];
        return;
      case '^':
        cursor.at += 1;
        return this.pushAssertion(this.flags.multiline ? 'line-start' : 'text-start');
      case '$':
        cursor.at += 1;
        return this.pushAssertion(this.flags.multiline ? 'line-end' : 'text-end');
      case '.':
        cursor.at += 1;
        return this.pushSet(this.flags.dotAll ? everything : notNewline);
      case '[':
        return this.pushSet(readClass(cursor, this.classReading()));
      case '*':
        return this.repeatLast(start, repeatStart, 0, Infinity);
      case '+':
        return this.repeatLast(start, repeatStart, 1, Infinity);
      case '?':
        return this.repeatLast(start, repeatStart, 0, 1);
      case '{':
        return this.repeatCounted(repeatStart);
      case '\\':
        return this.backslash();
      default:
        return this.pushLiteral(takeCode(cursor));
    }
  }

  private open(start: number, capturing: boolean): Group {
    const group: Group = { flags: this.flags, start, capturing, options: [], parts: [] };
    this.groups.push(group);
    this.current = group;
    return group;
  }

  /** `(`, `(?:`, `(?P<name>`, or flags for the rest of the group such as `(?i)`. */
  private openGroup(): void {
    const { cursor } = this;
    const start = cursor.at;
    if (peek(cursor, 1) !== '?') {
      cursor.at += 1;
      this.open(start, true);
    } else if (cursor.source.startsWith('(?P<', start) && start + 4 < cursor.source.length) {
      this.readGroupName(start);
      this.open(start, true);
    } else {
      this.readFlags(start);
    }
  }

  private readGroupName(start: number): void {
    const { cursor } = this;
    const end = cursor.source.indexOf('>', start);
    cursor.at = end < 0 ? cursor.source.length : end + 1;
    const name = cursor.source.slice(start + 4, end);
    if (end < 0 || !/^[A-Za-z0-9_]+$/.test(name)) throw errorFrom(cursor, start, 'invalid named capture');
  }

  private readFlags(start: number): void {
    const { cursor } = this;
    cursor.at += 2;
    const end = /[imsU]*(?:-[imsU]+)?[:)]/y;
    end.lastIndex = cursor.at;
    const [text] = end.exec(cursor.source) ?? [];
    if (text === undefined) throw this.badFlags(start);
    cursor.at += text.length;
    const [on = '', off = ''] = text.slice(0, -1).split('-');
    const { flags } = this;
    if (text.endsWith(':')) this.open(start, false);
    this.flags = {
      fold: switched(flags.fold, 'i', on, off),
      multiline: switched(flags.multiline, 'm', on, off),
      dotAll: switched(flags.dotAll, 's', on, off),
    };
  }

  /** Returns the error for what follows `(?`. It quotes as far as Go reads: to the first invalid character. */
  private badFlags(start: number): PatternError {
    const { cursor } = this;
    const legal = /[imsU]*(?:-[imsU]*)?/y;
    legal.lastIndex = cursor.at;
    cursor.at += legal.exec(cursor.source)?.[0].length ?? 0;
    takeCode(cursor);
    return errorFrom(cursor, start, 'invalid or unsupported Perl syntax');
  }

  private closeGroup(): void {
    const { cursor, current } = this;
    if (this.groups.length === 1) throw new PatternError('unexpected )', cursor.source, cursor.at);
    cursor.at += 1;
    const piece = this.close();
    this.flags = current.flags;
    // The stack had at least two groups.
    this.current = this.groups.at(-1) as Group;
    this.push(current.capturing ? { ...piece, height: piece.height + 1 } : piece);
  }

  /** Removes the innermost group from the stack. */
  private close(): Piece {
    const group = this.groups.pop() as Group;
    const options = [...group.options, this.joined(group)];
    const [only] = options;
    if (only !== undefined && options.length === 1) return only;
    return {
      node: choice(options.map((option) => option.node)),
      size: sum(options) + options.length - 1,
      height: 1 + highest(options),
      copies: maxCopies(options),
    };
  }

  /** Returns the parts of the current alternative as one. */
  private joined({ parts }: Group): Piece {
    const [only] = parts;
    if (only === undefined) return { node: empty, size: 1, height: 1, copies: 1 };
    if (parts.length === 1) return only;
    return {
      node: sequence(parts.map((part) => part.node)),
      size: sum(parts),
      height: 1 + highest(parts),
      copies: maxCopies(parts),
    };
  }

  private push(piece: Piece): void {
    if (piece.height > maxHeight)
      throw new PatternError('expression nests too deeply', this.cursor.source, 0);
    this.current.parts.push(piece);
  }

  private pushSet(set: CodeSet): void {
    this.push({ node: chars(set), size: 1, height: 1, copies: 1 });
  }

  private pushAssertion(position: AssertionKind): void {
    this.push({ node: assertAt(position), size: 1, height: 1, copies: 1 });
  }

  private pushLiteral(code: number | null): void {
    if (code === null) return;
    this.pushSet(this.flags.fold ? foldSet([code, code]) : [code, code]);
  }

  private backslash(): void {
    const { cursor } = this;
    const start = cursor.at;
    const position = positions.get(peek(cursor, 1));
    if (position !== undefined) {
      cursor.at += 2;
      this.pushAssertion(position);
    } else if (peek(cursor, 1) === 'Q') {
      this.readQuoted();
    } else if (peek(cursor, 1) === 'C') {
      // `\C` matches any single byte, which may be half of a character.
      cursor.at += 2;
      throw errorFrom(cursor, start, 'invalid escape sequence');
    } else {
      const reading = this.classReading();
      const set = readUnicodeClass(cursor, reading) ?? readPerlClass(cursor, reading.fold);
      if (set === null) this.pushLiteral(readEscape(cursor));
      else this.pushSet(set);
    }
  }

  private classReading(): ClassReading {
    return { fold: this.flags.fold ? foldSet : null, account: this.account, names: this.names };
  }

  /** `\Q...\E`: literal up to `\E`, or to the end of the pattern if `\E` is missing. */
  private readQuoted(): void {
    const { cursor } = this;
    const found = cursor.source.indexOf('\\E', cursor.at + 2);
    const end = found < 0 ? cursor.source.length : found;
    cursor.at += 2;
    while (cursor.at < end) this.pushLiteral(takeCode(cursor));
    cursor.at = found < 0 ? end : end + 2;
  }

  private repeatCounted(repeatStart: number | null): void {
    const { cursor } = this;
    const start = cursor.at;
    const counts = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;
    counts.lastIndex = start;
    const found = counts.exec(cursor.source);
    // Braces without counts are literal.
    if (found === null) return this.pushLiteral(takeCode(cursor));
    const [text, low, comma, high] = found;
    const min = Number(low);
    const max = comma === undefined ? min : high === undefined ? Infinity : Number(high);
    if (min > maxRepeat || (max > maxRepeat && max !== Infinity) || min > max) {
      cursor.at = start + text.length;
      throw errorFrom(cursor, start, 'invalid repeat count');
    }
    cursor.at = start + text.length - 1;
    this.repeatLast(start, repeatStart, min, max);
  }

  /** Repeats the last part. The cursor is on the last unit of the operator, which began at `start`. */
  private repeatLast(start: number, repeatStart: number | null, min: number, max: number): void {
    const { cursor } = this;
    cursor.at += 1;
    if (peek(cursor) === '?') cursor.at += 1;
    if (repeatStart !== null) throw errorFrom(cursor, repeatStart, 'invalid nested repetition operator');
    const body = this.current.parts.pop();
    if (body === undefined) throw errorFrom(cursor, start, 'missing argument to repetition operator');
    const copies = copiesOf(body.copies, min, max);
    if (copies > maxRepeat) throw errorFrom(cursor, start, 'invalid repeat count');
    this.push({
      node: repeat(body.node, min, max),
      size: repeatedSize(body.size, min, max),
      height: body.height + 1,
      copies,
    });
    this.repeatStart = start;
  }
}

const positions: ReadonlyMap<string, AssertionKind> = new Map<string, AssertionKind>([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['b', 'word-edge'],
  ['B', 'no-word-edge'],
]);

function switched(before: boolean, flag: string, on: string, off: string): boolean {
  return (before || on.includes(flag)) && !off.includes(flag);
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, piece) => total + piece.size, 0);
}

function highest(pieces: readonly Piece[]): number {
  return pieces.reduce((max, piece) => Math.max(max, piece.height), 0);
}

function maxCopies(pieces: readonly Piece[]): number {
  return pieces.reduce((max, piece) => Math.max(max, piece.copies), 1);
}

/** `x*`, `x+` and `x{0,}` need no copies; `x{3,}` needs three; a part repeated zero times needs none. */
function copiesOf(inner: number, min: number, max: number): number {
  if (max === 0) return 1;
  const count = max === Infinity ? min : max;
  return Math.max(count, 1) * inner;
}

/** x{2,5} is xx(x(x(x)?)?)?, x{2,} is xx+. */
function repeatedSize(size: number, min: number, max: number): number {
  if (max === 0) return 1;
  if (max === Infinity) return min === 0 ? size + 2 : min * size + 1;
  return max * size + (max - min);
}
