import { compiledAccess, type CompiledAccess } from '../filter/access-filter.js';
import { compileTree, type Filter } from '../filter/filter.js';
import { readInstant } from '../filter/compile/frame/clock.js';
import type { Limits } from '../language/diagnostics/limits.js';
import type { Schema } from '../language/schema/schema.js';
import type { Expression } from '../language/syntax/ast.js';
import { print } from '../language/syntax/print.js';
import { fieldPathText } from '../language/syntax/field-path.js';
import type { Residual } from './terms.js';

/** Maximum total length of the sources of a policy's cached access filters, in characters. */
const maxCachedText = 4 * 1024 * 1024;

/** Creates the access filters of a policy from residuals. Filters of equal sources are one object while they are cached. */
export class AccessFilters {
  /** The cached filters by source, the most recently used last. */
  readonly #cached = new Map<string, CompiledAccess>();
  #cachedText = 0;
  #sequence = 0;
  /** Makes keys unpredictable and unique among policies. */
  readonly #secret = [...crypto.getRandomValues(new Uint32Array(4))]
    .map((part) => part.toString(36))
    .join('');

  constructor(
    /** The schema of the policy. */
    private readonly schema: Schema,
    /** The schema with its hidden fields, which rules may read. */
    private readonly rows: Schema,
    private readonly limits: Limits,
  ) {}

  /** Returns the access filter of a residual. */
  of(residual: Residual): CompiledAccess {
    const text = residual === true ? '' : residual === false ? noRow(this.rows) : print(residual);
    const known = this.#cached.get(text);
    const filter = known ?? this.#create(residual, text);
    if (known === undefined) this.#cachedText += text.length;
    else this.#cached.delete(text);
    this.#cached.set(text, filter);
    for (const oldest of this.#cached.keys()) {
      if (this.#cachedText <= maxCachedText) break;
      this.#cached.delete(oldest);
      this.#cachedText -= oldest.length;
    }
    return filter;
  }

  /** Compiles a residual, or a part of one. Its size is bounded by the budget of the residual. */
  compile(ast: Expression, text = print(ast)): Filter {
    const limits = { ...this.limits, maxLength: Infinity, maxDepth: Infinity, maxTerms: Infinity };
    return compileTree(ast, text, { schema: this.rows, unresolved: 'deny', limits }).filter;
  }

  #create(residual: Residual, text: string): CompiledAccess {
    this.#sequence += 1;
    const key = `${this.#secret}.${this.#sequence}`;
    if (typeof residual !== 'boolean') return accessOf(this.compile(residual, text), this.schema, text, key);
    const constant: CompiledAccess = {
      kind: residual ? 'all' : 'none',
      text,
      key,
      test: () => residual,
      usesNow: false,
      at: () => constant,
      [compiledAccess]: null,
      schema: this.schema,
    };
    return Object.freeze(constant);
  }
}

function accessOf(filter: Filter, schema: Schema, text: string, key: string): CompiledAccess {
  const access: CompiledAccess = {
    kind: 'some',
    text,
    key,
    get test() {
      return filter.test;
    },
    usesNow: filter.usesNow,
    at(instant = new Date()) {
      if (!filter.usesNow) return access;
      return accessOf(filter.at(instant), schema, text, `${key}@${readInstant(instant)}`);
    },
    [compiledAccess]: filter,
    schema,
  };
  return Object.freeze(access);
}

/** Returns the source of a filter that no row satisfies. */
function noRow(schema: Schema): string {
  const fields = [...schema.root.fields.values()];
  const listed = fields.find(({ type: { kind } }) => !unlisted.has(kind));
  const [field = listed] = fields;
  const name = fieldPathText([(listed ?? field)?.name ?? '']);
  return listed === undefined && field?.type.kind === 'bool'
    ? `${name} == true and ${name} == false`
    : `${name} in []`;
}

const unlisted: ReadonlySet<string> = new Set(['bool', 'list', 'array', 'map', 'struct']);
