/** A stretch of text in one colour. */
export interface Painted {
  readonly start: number;
  readonly end: number;
  readonly scope: string;
}

interface Rule {
  readonly include?: string;
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly patterns?: readonly Rule[];
}

interface Grammar {
  readonly patterns: readonly Rule[];
  readonly repository: Readonly<Record<string, Rule>>;
}

/** A rule with its expressions ready. */
interface Ready {
  readonly scope: string;
  readonly start: RegExp;
  readonly end: RegExp | null;
  readonly inner: readonly Ready[];
}

/**
 * Paints texts with a TextMate grammar, line by line as editors do: the earliest match wins, of several the first rule. It
 * knows `match`, `begin` and `end`, `include` and nested patterns, with expressions that JavaScript reads like Oniguruma.
 * `isDeep` keeps the pieces that are inside of others too.
 */
export function readTextMate(json: unknown): (text: string, isDeep?: boolean) => Painted[] {
  const grammar = json as Grammar;
  const flatten = (rules: readonly Rule[]): Ready[] =>
    rules.flatMap((rule) => {
      if (rule.include !== undefined) return flatten([grammar.repository[rule.include.slice(1)] as Rule]);
      const start = rule.match ?? rule.begin;
      if (start === undefined) return flatten(rule.patterns ?? []);
      return [
        {
          scope: rule.name ?? '',
          start: new RegExp(start, 'g'),
          end: rule.end === undefined ? null : new RegExp(rule.end, 'g'),
          inner: flatten(rule.patterns ?? []),
        },
      ];
    });
  const rules = flatten(grammar.patterns);
  return (text, isDeep = false) => paint(text, rules).filter(({ depth }) => isDeep || depth === 0);
}

function paint(text: string, rules: readonly Ready[]): (Painted & { readonly depth: number })[] {
  const found: { start: number; end: number; scope: string; depth: number }[] = [];
  let open: { rule: Ready; start: number } | null = null;
  let lineStart = 0;
  for (const line of text.split('\n')) {
    for (let at = 0; ;) {
      const end: RegExpExecArray | null = open?.rule.end ? execAt(open.rule.end, line, at) : null;
      const [rule, match] = earliest(open === null ? rules : open.rule.inner, line, at);
      if (open !== null && end !== null && (match === null || end.index <= match.index)) {
        at = end.index + end[0].length;
        found.push({ start: open.start, end: lineStart + at, scope: open.rule.scope, depth: 0 });
        open = null;
      } else if (match === null || rule === null) break;
      else {
        const start = lineStart + match.index;
        at = match.index + match[0].length;
        if (rule.end !== null) open = { rule, start };
        else found.push({ start, end: lineStart + at, scope: rule.scope, depth: open === null ? 0 : 1 });
      }
    }
    lineStart += line.length + 1;
  }
  return found;
}

function execAt(pattern: RegExp, line: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(line);
}

function earliest(
  rules: readonly Ready[],
  line: string,
  at: number,
): readonly [Ready, RegExpExecArray] | readonly [null, null] {
  let best: readonly [Ready, RegExpExecArray] | readonly [null, null] = [null, null];
  for (const rule of rules) {
    const match = execAt(rule.start, line, at);
    if (match !== null && (best[1] === null || match.index < best[1].index)) best = [rule, match];
  }
  return best;
}
