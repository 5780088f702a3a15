import { templateFunctions, type QuickCheck } from '../compile/quick/check.js';
import type { CompiledExpression } from '../compile/compile.js';
import type { QuickExpression, QuickMatch, QuickName, QuickWalk } from '../compile/quick/expression.js';
import { longestPath } from './outline.js';

/**
 * Writes the code for the shape of an expression: a function of the names that only the filter's text holds (`k0`, `k1`,
 * ...), which returns a function of the values (`p`), which returns a runner.
 *
 * The code consists of constant texts of the engine and of names of the host's schema in quotes, and of nothing else.
 */
export function writeCode({ quick, beginRow }: CompiledExpression): string {
  return new Writer().write(quick(), beginRow !== null);
}

/** Where code stands: in a loop over rows, or in one over the elements of a list. */
interface CodeScope {
  /** The variable with the row or the element. */
  readonly holder: string;
  /** True where the holder may be null or undefined. */
  readonly mayBeNil: boolean;
  /** What stands before a call of `settle`: in a walk it tells where the element is. */
  readonly note: string;
}

const rowScope: CodeScope = { holder: 'row', mayBeNil: false, note: '' };

/** Code for what has to hold of a holder before a name is read of it. */
const guards: Readonly<Record<NonNullable<QuickName['guard']>, (holder: string) => string>> = {
  plain: (holder) => `isPlain(${holder})`,
  'no function': (holder) => `typeof ${holder}!=="function"`,
};

/** What the code takes from the language, before anybody can change it. Nearly every object is told by its constructor. */
const header =
  '"use strict";const isList=Array.isArray,prototypeOf=Object.getPrototypeOf,O=Object,plain=O.prototype;' +
  'const isPlain=(v)=>{if(v==null)return false;if(v.constructor===O)return true;const q=prototypeOf(v);return q===plain||q===null};';

/** Variables of every function: what a path reads, and one for the templates. */
const reads = Array.from({ length: longestPath }, (_, at) => `r${at}`);
const variables = `let ${[...reads, 't'].join(',')};`;

class Writer {
  private values = 0;
  private names = 0;
  private readonly walks: string[] = [];
  private readonly functions = new Set<keyof typeof templateFunctions>();
  /** What stands before a call of a careful closure: it opens the account of the row, once. */
  private begin = '';

  write(expression: QuickExpression, sharesAccount: boolean): string {
    const careful = this.value();
    if (sharesAccount) this.begin = `begun||(begun=true,${this.value()}()),`;
    const holds = this.expression(expression, rowScope);
    const parameters = Array.from({ length: this.values }, (_, at) => `p${at}=p[${at}]`).join(',');
    const functions = [...this.functions].map((name) => `const ${name}=${templateFunctions[name]};`).join('');
    // Whether somebody has given all objects a key that loops over keys see.
    const look = this.functions.has('isEmptyMap') ? 'dirty=false;for(const k in plain)dirty=true;' : '';
    const test = `${variables}${sharesAccount ? 'begun=false;' : ''}`;
    const asked = `if(row===undefined||row===null?${careful}(row):${holds})`;
    // Array holes are no rows, as for Array.prototype.filter. A row that is nothing at all fails where the closures say. Both
    // are so rare that loops over whole lists do not ask for them where the read of such a row throws. They begin at 0 and end
    // with the list because that saves a check of each index.
    const nil = readsRowFirst(expression) ? '' : 'if(row===undefined||row===null)throw row;';
    const every = (then: string): string =>
      `let i=0;try{for(;i<rows.length;i++){const row=rows[i];${nil}${test}if${holds}${then}}}catch(e){const row=rows[i];if(row!==undefined&&row!==null)throw e;`;
    return `${header}return(p)=>{const ${parameters};let begun=false,dirty=false;${functions}${this.walks.join('')}
const scan=(rows,from,to,out,most)=>{${look}for(let i=from;i<to;i++){const row=rows[i];if(row===undefined&&!(i in rows))continue;${test}${asked}{out.push(row);if(out.length===most)return i+1}}return to};
return{scan,
test(row){${look}${test}${asked}return true;return false},
select(rows){${look}const out=[];${every('out.push(row)')}scan(rows,i,rows.length,out,Infinity)}return out},
count(rows){${look}let n=0;${every('n++')}const out=[];scan(rows,i,rows.length,out,Infinity);n+=out.length}return n}}}`;
  }

  /** The variable that holds the next value. */
  private value(): string {
    this.values += 1;
    return `p${this.values - 1}`;
  }

  private expression(node: QuickExpression, scope: CodeScope): string {
    switch (node.kind) {
      case 'and':
      case 'or': {
        const operands = node.operands.map((operand) => this.expression(operand, scope));
        return `(${operands.join(node.kind === 'and' ? '&&' : '||')})`;
      }
      case 'not':
        return `!${this.expression(node.operand, scope)}`;
      case 'careful':
        return `(${this.begin}${this.value()}(row))`;
      case 'match':
        return this.match(node, scope);
      default:
        return this.walk(node, scope);
    }
  }

  private match({ path, check, isNegated }: QuickMatch, scope: CodeScope): string {
    const settle = this.value();
    const p = check.operands.map(() => this.value());
    return this.read(path, scope, settle, (v, odd) => this.check(check, p, isNegated, v, odd));
  }

  private check(
    { template }: QuickCheck,
    p: readonly string[],
    isNegated: boolean,
    v: string,
    odd: string,
  ): string {
    if (isTemplateFunction(template.name)) this.functions.add(template.name);
    return template[isNegated ? 'fails' : 'holds']({ v, p, t: 't', odd });
  }

  /** A walk becomes a function of its own, called with the list. */
  private walk({ kind, path, body }: QuickWalk, scope: CodeScope): string {
    const settle = this.value();
    const longest = this.value();
    const position = this.value();
    const name = `w${this.walks.length}`;
    // Its place is taken before the names of the body are: the path comes first.
    const read = this.read(
      path,
      scope,
      settle,
      (v, odd) => `(isList(${v})&&${v}.length<=${longest}?${name}(${v}):${odd})`,
    );
    const holds = this.expression(body, { holder: 'e', mayBeNil: true, note: `${position}.key=i,` });
    const [test, decided] = kind === 'any' ? [`(${holds})`, true] : [`(!${holds})`, false];
    this.walks.push(
      `const ${name}=(l)=>{${variables}const n=l.length;for(let i=0;i<l.length&&i!==n;i++){const e=l[i];if${test}return ${decided}}return ${!decided}};`,
    );
    return read;
  }

  /** Follows a path, then says something of the value. Whatever was read on the way goes to `settle` if it is odd. */
  private read(
    path: readonly QuickName[],
    { holder, mayBeNil, note }: CodeScope,
    settle: string,
    say: (v: string, odd: string) => string,
  ): string {
    const ask = (count: number): string =>
      `(${this.begin}${note}${settle}(${holder},[${reads.slice(0, count).join(',')}]))`;
    const follow = (at: number, from: string): string => {
      const name = path[at];
      const v = reads[at];
      if (name === undefined || v === undefined) return say(from, ask(at));
      const get = `[${this.name(name)}]`;
      const step = `(${v}=${from}${get},${follow(at + 1, v)})`;
      // What a text or a number has is no data, and neither does it harm: those reads are undefined.
      const asked = at === 0 ? [] : [`${from}!==undefined&&${from}!==null`];
      if (name.guard !== null) asked.push(guards[name.guard](from));
      return asked.length === 0 ? step : `(${asked.join('&&')}?${step}:${ask(at)})`;
    };
    const said = follow(0, holder);
    return mayBeNil && path.length > 0 ? `(${holder}!==undefined&&${holder}!==null?${said}:${ask(0)})` : said;
  }

  /** A name of the schema is written in quotes; one of the filter's text is a parameter. */
  private name({ text, isDeclared }: QuickName): string {
    if (isDeclared) return JSON.stringify(text);
    this.names += 1;
    return `k${this.names - 1}`;
  }
}

/** Whether the first thing that is done with a row, whatever it is, is to read a name of it. */
function readsRowFirst(node: QuickExpression): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands[0] !== undefined && readsRowFirst(node.operands[0]);
    case 'not':
      return readsRowFirst(node.operand);
    case 'careful':
      return false;
    default:
      return node.path[0] !== undefined && node.path[0].guard !== 'plain';
  }
}

function isTemplateFunction(name: string): name is keyof typeof templateFunctions {
  return Object.hasOwn(templateFunctions, name);
}
