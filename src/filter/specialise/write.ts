import type { CompiledExpression } from '../compile/quick/compiled-expression.js';
import type {
  QuickExpression,
  QuickMatch,
  QuickName,
  QuickPair,
  QuickWalk,
} from '../compile/quick/expression.js';

/**
 * Writes the code for the shape of an expression: a function of the names that only the filter's source contains (`k0`, `k1`,
 * ...), which returns a function of the values (`p`), which returns a runner.
 *
 * The code consists only of constant source of the engine and of quoted names in the host's schema.
 */
export function writeCode({ quick, budget, denies }: CompiledExpression): string {
  return new Writer().write(quick(), budget !== null, denies);
}

/** The place where code is generated: a loop over rows, or one over the elements of a list. */
interface CodeScope {
  /** The variable with the row or the element. */
  readonly parent: string;
  /** Whether the holder may be null or undefined. */
  readonly mayBeNil: boolean;
  /** Code before a call of `settle`; in a walk it records the position of the element. */
  readonly note: string;
}

const rowScope: CodeScope = { parent: 'row', mayBeNil: false, note: '' };

/** Jump statements for a true (`yes`) and a false (`no`) result. One of the two may be empty: execution then falls through. */
interface Exits {
  readonly yes: string;
  readonly no: string;
}

/** Code of the condition under which a property of the holder must not be read directly. */
const guards: Readonly<Record<NonNullable<QuickName['guard']>, (parent: string) => string>> = {
  plain: (parent) => `!isPlain(${parent})`,
  'no function': (parent) => `typeof ${parent}==="function"`,
};

/** Captures built-ins before other code can change them. `isPlain` tests the constructor first, which decides nearly always. */
const header =
  '"use strict";const isList=Array.isArray,isInteger=Number.isInteger,prototypeOf=Object.getPrototypeOf,O=Object,plain=O.prototype,hasOwn=O.call.bind(plain.hasOwnProperty);' +
  'const isPlain=(v)=>{if(v==null)return false;if(v.constructor===O)return true;const q=prototypeOf(v);return q===plain||q===null};';

class Writer {
  private values = 0;
  private names = 0;
  private labels = 0;
  /** Code before a call of a careful closure. It opens the budget of the row at the first call. */
  private open = '';

  write(expression: QuickExpression, sharesBudget: boolean, denies: boolean): string {
    const generic = this.value();
    const [open, close] = sharesBudget ? [this.value(), this.value()] : ['', ''];
    if (sharesBudget) this.open = `opened||(outer=${open}(),opened=true),`;
    const charging = (body: string): string =>
      sharesBudget ? `let opened=false,outer=null;try{${body}}finally{if(opened)${close}(outer)}` : body;
    const code = this.expression(expression, rowScope, { yes: '', no: 'break no;' });
    const constants = (of: (at: number) => string): string =>
      `const ${Array.from({ length: this.values }, (_, at) => of(at)).join(',')};`;
    // Unless a filter has its own code, loops would read the variables of the outer function again for every row.
    const local = constants((at) => `p${at}=c${at}`);
    const test = `${sharesBudget ? `if(opened){${close}(outer);opened=false}` : ''}${denies ? `try{${code}}catch{break no}` : code}`;
    const evaluated = `if(row===undefined||row===null){if(!${generic}(row))break no;}else{${test}}`;
    // Array holes are not rows, as for Array.prototype.filter. A null or undefined row fails in the closures. Both are so rare
    // that loops do not test for them if reading such a row throws. The loops run from 0 to the list length, which saves a bounds
    // check per index.
    const nil = readsRowFirst(expression) ? '' : 'if(row===undefined||row===null)throw row;';
    const every = (then: string): string =>
      `let i=0;try{for(;i<rows.length;i++)no:{const row=rows[i];${nil}${test}${then}}}catch(e){const row=rows[i];if(row!==undefined&&row!==null)throw e;`;
    return `${header}return(p)=>{${constants((at) => `p${at}=p[${at}],c${at}=p${at}`)}
const scan=(rows,from,to,out,most)=>{${local}${charging(`for(let i=from;i<to;i++)no:{const row=rows[i];if(row===undefined&&!(i in rows))break no;${evaluated}out.push(row);if(out.length===most)return i+1}return to`)}};
return{scan,
test(row){${charging(`no:{${evaluated}return true}return false`)}},
select(rows){${local}const out=[];${charging(`${every('out.push(row)')}scan(rows,i,rows.length,out,Infinity)}return out`)}},
count(rows){${local}let n=0;${charging(`${every('n++')}const out=[];scan(rows,i,rows.length,out,Infinity);n+=out.length}return n`)}}}}`;
  }

  /** Reserves the next value parameter and returns its variable name. */
  private value(): string {
    this.values += 1;
    return `p${this.values - 1}`;
  }

  private expression(node: QuickExpression, scope: CodeScope, exits: Exits): string {
    switch (node.kind) {
      case 'and':
        return this.junction(node.operands, scope, exits, (last, { no }) => (last ? exits : { yes: '', no }));
      case 'or':
        return this.junction(node.operands, scope, exits, (last, { yes }) =>
          last ? exits : { yes, no: '' },
        );
      case 'not':
        return this.expression(node.operand, scope, { yes: exits.no, no: exits.yes });
      case 'careful':
        return this.leave(`(${this.open}${this.value()}(row))`, exits);
      case 'match':
        return this.match(node, scope, exits);
      case 'pair':
        return this.pair(node, scope, exits);
      default:
        return this.walk(node, scope, exits);
    }
  }

  /** Writes the operands in sequence. All except the last fall through if they do not decide the result. */
  private junction(
    operands: readonly QuickExpression[],
    scope: CodeScope,
    exits: Exits,
    exitsOf: (isLast: boolean, whole: Exits) => Exits,
  ): string {
    return this.block(exits, (whole) =>
      operands
        .map((operand, at) => this.expression(operand, scope, exitsOf(at === operands.length - 1, whole)))
        .join(''),
    );
  }

  private match({ path, check, isNegated }: QuickMatch, scope: CodeScope, exits: Exits): string {
    const settle = this.value();
    const p = check.operands.map(() => this.value());
    return this.block(exits, ({ yes, no }) =>
      this.read(path, scope, settle, { yes, no }, (v) =>
        check.template.code({ v, p, yes: isNegated ? no : yes, no: isNegated ? yes : no }),
      ),
    );
  }

  private pair(
    { names: [name, other], check, isNegated }: QuickPair,
    scope: CodeScope,
    exits: Exits,
  ): string {
    const settle = this.value();
    const p = check.operands.map(() => this.value());
    const { parent, mayBeNil, note } = scope;
    return this.block(exits, ({ yes, no }) => {
      const nil = mayBeNil
        ? `if(${parent}===undefined||${parent}===null){${this.leave(`(${this.open}${note}${settle}(${parent},[]))`, { yes, no })}}`
        : '';
      const read = `const r0=${parent}[${this.name(name)}],r1=${parent}[${this.name(other)}];`;
      const [matches, fails] = isNegated ? [no, yes] : [yes, no];
      const code = check.template.code({ v: 'r0', w: 'r1', p, yes: matches, no: fails });
      return `${nil}${read}${code}${this.leave(`(${this.open}${note}${settle}(${parent},[r0,r1]))`, { yes, no })}`;
    });
  }

  private walk({ kind, path, body }: QuickWalk, scope: CodeScope, exits: Exits): string {
    const settle = this.value();
    const maxLength = this.value();
    const position = this.value();
    const inner = { parent: 'e', mayBeNil: true, note: `${position}.key=i,` };
    return this.block(exits, ({ yes, no }) =>
      this.read(path, scope, settle, { yes, no }, (v) => {
        const matches = this.expression(body, inner, kind === 'any' ? { yes, no: '' } : { yes: '', no });
        const loop = `for(let i=0;i<${v}.length&&i!==n;i++){const e=${v}[i];${matches}}`;
        return `if(isList(${v})&&${v}.length<=${maxLength}){const n=${v}.length;${loop}${kind === 'any' ? no : yes}}`;
      }),
    );
  }

  /** Writes the reads of a path and, with `say`, the check of its value. Unexpected values are passed to `settle`. */
  private read(
    path: readonly QuickName[],
    { parent, mayBeNil, note }: CodeScope,
    settle: string,
    exits: Exits,
    say: (v: string) => string,
  ): string {
    const reads: string[] = [];
    const evaluate = (): string =>
      this.leave(`(${this.open}${note}${settle}(${parent},[${reads.join(',')}]))`, exits);
    let code = '';
    let from = parent;
    for (const name of path) {
      // Strings and numbers are not excluded: reading a field name from them is harmless and returns undefined.
      const unexpected = reads.length > 0 || mayBeNil ? [`${from}===undefined||${from}===null`] : [];
      if (name.guard !== null) unexpected.push(guards[name.guard](from));
      if (unexpected.length > 0) code += `if(${unexpected.join('||')}){${evaluate()}}`;
      const v = `r${reads.length}`;
      code += `const ${v}=${from}[${this.name(name)}];`;
      reads.push(v);
      from = v;
    }
    return `${code}${say(from)}${evaluate()}`;
  }

  /** Writes the jump for a result. */
  private leave(result: string, { yes, no }: Exits): string {
    if (yes === '') return `if(!${result})${no}`;
    return `if(${result})${yes}${no}`;
  }

  /** Writes a labelled block, so that its code can also jump to an exit that falls through. */
  private block({ yes, no }: Exits, write: (exits: Exits) => string): string {
    this.labels += 1;
    const label = `l${this.labels}`;
    const exit = `break ${label};`;
    return `${label}:{${write({ yes: yes === '' ? exit : yes, no: no === '' ? exit : no })}}`;
  }

  /** Returns a property name as code: a string literal for schema names, a parameter for names from the filter's source. */
  private name({ text, isDeclared }: QuickName): string {
    if (isDeclared) return JSON.stringify(text);
    this.names += 1;
    return `k${this.names - 1}`;
  }
}

/** Whether evaluation always starts by reading a property of the row, which throws for null and undefined. */
function readsRowFirst(node: QuickExpression): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands[0] !== undefined && readsRowFirst(node.operands[0]);
    case 'not':
      return readsRowFirst(node.operand);
    case 'careful':
      return false;
    case 'pair':
      return true;
    default:
      return node.path[0] !== undefined && node.path[0].guard !== 'plain';
  }
}
