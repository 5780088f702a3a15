import type { Expression, MatchExpression, Selector, Value } from '../../src/language/syntax/ast.js';
import type { Draw } from './draw.js';

/** A filter source, and the position of each of its matches. */
export interface WrittenFilter {
  readonly text: string;
  readonly places: ReadonlyMap<MatchExpression, { readonly start: number; readonly end: number }>;
}

/** Writes a filter by itself, in one of the ways in which a person may write it. */
export function writeFilter(draw: Draw, expression: Expression): WrittenFilter {
  const writer = new Writer(draw);
  writer.expression(expression, false);
  return { text: writer.text, places: writer.places };
}

class Writer {
  text = '';
  readonly places = new Map<MatchExpression, { readonly start: number; readonly end: number }>();
  readonly #draw: Draw;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  expression(node: Expression, isOperand: boolean): void {
    switch (node.kind) {
      case 'and':
      case 'or':
        return this.#grouped(isOperand, () => {
          for (const [index, operand] of node.operands.entries()) {
            if (index > 0) this.text += ` ${node.kind} `;
            this.expression(operand, true);
          }
        });
      case 'not':
        return this.#grouped(isOperand, () => {
          this.text += 'not ';
          this.#grouped(true, () => this.expression(node.operand, false));
        });
      case 'match':
        return this.#grouped(isOperand && this.#draw.oneIn(4), () => this.#match(node));
      default: {
        const { default: lone, index, value } = node.binding;
        const binding = lone === null ? `${index?.text ?? '_'}, ${value?.text ?? '_'}` : lone.text;
        return this.#grouped(isOperand, () => {
          this.text += `${node.kind} ${writeSelector(node.selector)} as ${binding} { `;
          this.expression(node.body, false);
          this.text += ' }';
        });
      }
    }
  }

  #grouped(isGroup: boolean, write: () => void): void {
    if (isGroup) this.text += '(';
    write();
    if (isGroup) this.text += ')';
  }

  #match(match: MatchExpression): void {
    const start = this.text.length;
    this.text += this.#matchText(match);
    this.places.set(match, { start, end: this.text.length });
  }

  #matchText({ operator, aspect, selector, value }: MatchExpression): string {
    const draw = this.#draw;
    const field = writeSelector(selector);
    const subject = aspect === 'length' ? draw.pick([`len(${field})`, `len( ${field} )`]) : field;
    if (value === null) return `${subject} ${operator}`;
    if (value.kind === 'list') {
      const elements = value.elements.map(writeValue);
      const trailing = elements.length > 0 && draw.oneIn(5) ? ',' : '';
      return `${subject} ${operator.replace(' [..]', '')} [${elements.join(draw.pick([', ', ' , ']))}${trailing}]`;
    }
    const written = value.kind === 'reference' ? `@${writeSelector(value.selector)}` : writeValue(value);
    if (operator === 'in' || operator === 'not in') {
      const reversed = operator === 'in' ? 'contains' : 'not contains';
      return draw.oneIn(2) ? `${subject} ${reversed} ${written}` : `${written} ${operator} ${subject}`;
    }
    const isSign = /^[<>=!]/.test(operator);
    return isSign && draw.oneIn(5) ? `${subject}${operator}${written}` : `${subject} ${operator} ${written}`;
  }
}

export function writeSelector({ form, path }: Selector): string {
  if (form === 'pointer') {
    return `"${path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}"`;
  }
  const [head = '', ...rest] = path;
  const parts = rest.map((part) =>
    /^[a-zA-Z][a-zA-Z0-9_/]*$|^[0-9]+$/.test(part) ? `.${part}` : `[${quote(part)}]`,
  );
  return head + parts.join('');
}

function writeValue({ text, form, ignoreCase }: Value): string {
  const written = form === 'quoted' ? quote(text) : form === 'raw' ? `\`${text}\`` : text;
  return ignoreCase ? `${written}i` : written;
}

/** With Go's escapes. */
function quote(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const code = character.charCodeAt(0);
    return code < 0x80
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}
