/**
 * go-bexpr's grammar, interpreted as it is written: alternatives in order, the first that matches wins, results remembered
 * by rule and place. Slow and simple, and independent of the parser under test: it shares no code with it, not even for
 * literals. It also keeps what go-bexpr's error messages are made from, the failed readings and the farthest point.
 */
export type GoTree =
  | { type: 'and' | 'or'; left: GoTree; right: GoTree }
  | { type: 'not'; operand: GoTree }
  | { type: 'match'; operator: string; selector: GoSelector; value?: string }
  | { type: 'any' | 'all'; selector: GoSelector; bindings: Record<string, string>; body: GoTree };

export interface GoSelector {
  kind: 'bexpr' | 'pointer';
  path: string[];
}

export type GoReading =
  | { ok: true; tree: GoTree }
  /** `at` is the offset in UTF-16 units that go-bexpr names first; `rule` is null for "no match found". */
  | { ok: false; at: number; rule: string | null };

type Result<T> = { end: number; value: T } | null;
type Rule<T> = (at: number) => Result<T>;

/** Reads a text as go-bexpr does, without its step limit. */
export function readAsGo(text: string): GoReading {
  let farthest = 0;
  const errors: { at: number; rule: string }[] = [];

  // ---- Terminals ----

  const miss = (at: number): null => {
    farthest = Math.max(farthest, at);
    return null;
  };
  const lit = (word: string): Rule<string> => {
    return (at) => (text.startsWith(word, at) ? { end: at + word.length, value: word } : miss(at));
  };
  /** One code point of a class. */
  const one = (pattern: RegExp): Rule<string> => {
    return (at) => {
      const point = text.codePointAt(at);
      const character = point === undefined ? '' : String.fromCodePoint(point);
      return character !== '' && pattern.test(character)
        ? { end: at + character.length, value: character }
        : miss(at);
    };
  };
  const end: Rule<null> = (at) => (at === text.length ? { end: at, value: null } : miss(at));

  // ---- Combinators ----

  const many = <T>(rule: Rule<T>, min = 0): Rule<T[]> => {
    return (at) => {
      const value: T[] = [];
      let result = rule(at);
      let reached = at;
      while (result !== null) {
        value.push(result.value);
        reached = result.end;
        result = rule(reached);
      }
      return value.length < min ? null : { end: reached, value };
    };
  };
  const some = <T>(rule: Rule<T>): Rule<T[]> => many(rule, 1);
  const optional = (rule: Rule<unknown>): Rule<null> => {
    return (at) => ({ end: rule(at)?.end ?? at, value: null });
  };
  const seq = (...rules: Rule<unknown>[]): Rule<unknown[]> => {
    return (at) => {
      const value: unknown[] = [];
      let reached = at;
      for (const rule of rules) {
        const result = rule(reached);
        if (result === null) return null;
        value.push(result.value);
        reached = result.end;
      }
      return { end: reached, value };
    };
  };
  const choice = <T>(...rules: Rule<T>[]): Rule<T> => {
    return (at) => {
      for (const rule of rules) {
        const result = rule(at);
        if (result !== null) return result;
      }
      return null;
    };
  };
  const map = <T, U>(rule: Rule<T>, make: (value: T, start: number, end: number) => U): Rule<U> => {
    return (at) => {
      const result = rule(at);
      return result === null ? null : { end: result.end, value: make(result.value, at, result.end) };
    };
  };
  const remember = <T>(rule: Rule<T>): Rule<T> => {
    const known = new Map<number, Result<T>>();
    return (at) => {
      let result = known.get(at);
      if (result === undefined) known.set(at, (result = rule(at)));
      return result;
    };
  };
  /** Where `before` matches and `wanted` does not follow: an error that nothing makes up for. */
  const fatal = (rule: string, before: Rule<unknown>, expected: Rule<unknown>): Rule<never> => {
    return (at) => {
      const result = before(at);
      if (result !== null && expected(result.end) === null) errors.push({ at: result.end, rule });
      return null;
    };
  };

  // ---- The grammar ----

  const gap = some(one(/^[ \t\r\n]$/));
  const blanks = optional(gap);

  const name = map(seq(one(/^[a-zA-Z]$/), many(one(/^[a-zA-Z0-9_/]$/))), (_, start, stop) =>
    text.slice(start, stop),
  );

  const rawLiteral = seq(lit('`'), many(one(/^[^`]$/u)), lit('`'));
  const quotedLiteral = seq(lit('"'), many(one(/^[^"]$/u)), lit('"'));
  const openLiteral = choice(seq(lit('`'), many(one(/^[^`]$/u))), seq(lit('"'), many(one(/^[^"]$/u))));
  const string: Rule<string> = remember(
    choice(
      map(choice(rawLiteral, quotedLiteral), (_, start, stop) => {
        const value = goUnquote(text.slice(start, stop));
        if (value === null) errors.push({ at: start, rule: 'string' });
        return value ?? '';
      }),
      fatal('string', seq(openLiteral, end), () => null),
    ),
  );

  const part: Rule<string> = choice(
    map(seq(lit('.'), name), ([, part]) => part as string),
    map(seq(lit('['), blanks, string, blanks, lit(']')), (values) => values[2] as string),
    fatal('index', seq(lit('['), blanks), string),
    fatal('index', seq(lit('['), blanks, string, blanks), lit(']')),
    map(seq(lit('.'), some(one(/^[0-9]$/))), (_, start, stop) => text.slice(start + 1, stop)),
  );
  const segment = map(seq(lit('/'), some(one(/^[\p{L}\p{N}\-_.~:|]$/u))), (_, start, stop) =>
    text
      .slice(start + 1, stop)
      .replace(/~1/g, '/')
      .replace(/~0/g, '~'),
  );
  const selector: Rule<GoSelector> = remember(
    choice<GoSelector>(
      map(seq(name, many(part)), ([first, rest]) => ({
        kind: 'bexpr',
        path: [first as string, ...(rest as string[])],
      })),
      map(seq(lit('"'), many(segment), lit('"')), ([, segments]) => ({
        kind: 'pointer',
        path: (segments as string[]).length === 0 ? [''] : (segments as string[]),
      })),
    ),
  );

  const digits = seq(
    choice<unknown>(lit('0'), seq(one(/^[1-9]$/), many(one(/^[0-9]$/)))),
    optional(seq(lit('.'), some(one(/^[0-9]$/)))),
  );
  const afterNumber = choice<unknown>(gap, end, lit(')'));
  const ahead = (rule: Rule<unknown>): Rule<null> => {
    return (at) => (rule(at) === null ? null : { end: at, value: null });
  };
  const number: Rule<string> = remember(
    choice(
      map(seq(optional(lit('-')), digits, ahead(afterNumber)), (_, start, stop) => text.slice(start, stop)),
      fatal('number', seq(optional(lit('-')), digits), afterNumber),
    ),
  );

  const value: Rule<string> = remember(
    choice(
      map(selector, ({ kind, path }) => path.join(kind === 'pointer' ? '/' : '.')),
      number,
      string,
    ),
  );

  const operator = (rule: Rule<unknown>, canonical: string): Rule<string> => map(rule, () => canonical);
  const equality = choice(
    operator(seq(blanks, lit('=='), blanks), '=='),
    operator(seq(blanks, lit('!='), blanks), '!='),
  );
  const wordOperator = choice(
    operator(seq(gap, lit('contains'), gap), 'in'),
    operator(seq(gap, lit('not'), gap, lit('contains'), gap), 'not in'),
    operator(seq(gap, lit('matches'), gap), 'matches'),
    operator(seq(gap, lit('not'), gap, lit('matches'), gap), 'not matches'),
  );
  const propertyOperator = choice(
    operator(seq(gap, lit('is'), gap, lit('empty')), 'is empty'),
    operator(seq(gap, lit('is'), gap, lit('not'), gap, lit('empty')), 'is not empty'),
    operator(seq(gap, lit('is'), gap, lit('nil')), 'is nil'),
    operator(seq(gap, lit('is'), gap, lit('not'), gap, lit('nil')), 'is not nil'),
  );
  const membership = choice(
    operator(seq(gap, lit('in'), gap), 'in'),
    operator(seq(gap, lit('not'), gap, lit('in'), gap), 'not in'),
  );
  const makeMatch = (operator: unknown, selector: unknown, value?: unknown): GoTree => {
    const match = { type: 'match' as const, operator: operator as string, selector: selector as GoSelector };
    return value === undefined ? match : { ...match, value: value as string };
  };
  const match: Rule<GoTree> = remember(
    choice(
      map(seq(selector, choice(equality, wordOperator), value), ([s, o, v]) => makeMatch(o, s, v)),
      map(seq(selector, propertyOperator), ([s, o]) => makeMatch(o, s)),
      map(seq(value, membership, selector), ([v, o, s]) => makeMatch(o, s, v)),
      fatal('match', seq(value, membership), selector),
    ),
  );

  const later = <T>(rule: () => Rule<T>): Rule<T> => {
    return (at) => rule()(at);
  };
  const expression: Rule<GoTree> = later(() => or);

  const bindingOf = (binding: Record<string, unknown>): Record<string, string> =>
    binding as Record<string, string>;
  const binding = choice(
    map(seq(name, blanks, lit(','), blanks, name), ([index, , , , element]) =>
      bindingOf({ index, value: element }),
    ),
    map(seq(name, blanks, lit(','), blanks, lit('_')), ([index]) => bindingOf({ index })),
    map(seq(lit('_'), blanks, lit(','), blanks, name), (values) => bindingOf({ value: values[4] })),
    map(name, (only) => bindingOf({ default: only })),
  );
  const collectionOf = (kind: 'any' | 'all'): Rule<GoTree> => {
    const head = seq(lit(kind), gap, selector, gap, lit('as'), gap, binding, blanks, lit('{'), blanks);
    return map(seq(head, expression, blanks, lit('}')), ([values, body]) => {
      const [, , over, , , , names] = values as unknown[];
      return {
        type: kind,
        selector: over as GoSelector,
        bindings: names as Record<string, string>,
        body: body as GoTree,
      };
    });
  };
  const collection = remember(choice(collectionOf('any'), collectionOf('all')));

  const inParentheses = seq(lit('('), blanks, expression, blanks, lit(')'));
  const primary: Rule<GoTree> = remember(
    choice(
      map(inParentheses, (values) => values[2] as GoTree),
      match,
      fatal('grouping', seq(lit('('), blanks, expression, blanks), lit(')')),
    ),
  );
  const not: Rule<GoTree> = remember(
    choice(
      map(
        seq(
          lit('not'),
          gap,
          later(() => not),
        ),
        (values): GoTree => {
          const operand = values[2] as GoTree;
          return operand.type === 'not' ? operand.operand : { type: 'not', operand };
        },
      ),
      primary,
    ),
  );
  const both = (type: 'and' | 'or') => {
    return (values: unknown[]): GoTree => ({ type, left: values[0] as GoTree, right: values[4] as GoTree });
  };
  const and: Rule<GoTree> = remember(
    choice(
      map(
        seq(
          not,
          gap,
          lit('and'),
          gap,
          later(() => and),
        ),
        both('and'),
      ),
      not,
    ),
  );
  const or: Rule<GoTree> = remember(
    choice(
      map(
        seq(
          and,
          gap,
          lit('or'),
          gap,
          later(() => or),
        ),
        both('or'),
      ),
      and,
      collection,
    ),
  );
  const input = choice(
    map(seq(blanks, inParentheses, blanks, end), (values) => (values[1] as unknown[])[2] as GoTree),
    map(seq(blanks, expression, blanks, end), (values) => values[1] as GoTree),
  );

  const result = input(0);
  const [error] = errors;
  if (error !== undefined) return { ok: false, ...error };
  return result === null ? { ok: false, at: farthest, rule: null } : { ok: true, tree: result.value };
}

const letterEscapes: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 },
  ...{ '\\': 0x5c, '"': 0x22 },
};

/** Go's `strconv.Unquote` on a quoted or backtick literal, by way of its bytes; null where it refuses. */
function goUnquote(literal: string): string | null {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.split('\r').join('');
  if (/\n/.test(body)) return null;
  const bytes: number[] = [];
  const pattern =
    /\\x([0-9a-fA-F]{2})|\\([0-7]{3})|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\(.)|([^\\]+)|\\/gsu;
  for (const [, hex, octal, short, long, letter, plain] of body.matchAll(pattern)) {
    const point = short ?? long;
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (point !== undefined) {
      const number = Number.parseInt(point, 16);
      if (number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) return null;
      bytes.push(...Buffer.from(String.fromCodePoint(number)));
    } else if (plain !== undefined) bytes.push(...Buffer.from(plain));
    else {
      const byte = letter === undefined ? undefined : letterEscapes[letter];
      if (byte === undefined) return null;
      bytes.push(byte);
    }
    if ((bytes.at(-1) ?? 0) > 0xff) return null;
  }
  return goString(Buffer.from(bytes));
}

/** Go's reading of bytes as UTF-8, which gives one U+FFFD for each bad byte where Node gives one for several. */
function goString(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => {
      try {
        decoder.decode(bytes.subarray(at, at + size));
        return at + size <= bytes.length;
      } catch {
        return false;
      }
    });
    text += length === undefined ? '\ufffd' : decoder.decode(bytes.subarray(at, at + length));
    at += length ?? 1;
  }
  return text;
}
