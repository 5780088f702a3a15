import { valueAccess } from '../column.js';
import type { ColumnAccess } from '../column-access.js';
import { floatText, type SqlDialect } from '../dialect.js';
import { isWithin } from '../leaf.js';
import { looseTest } from '../loose-text.js';
import { chars, type Node } from '../../language/values/pattern/node.js';
import { isRun, re2Flavour, writePattern } from '../pattern.js';
import type { Column } from '../stored-column.js';
import { list, parameter, raw, sql, type Sql } from '../sql.js';
import type { Type } from '../../language/schema/type.js';
import { jsonAccess, jsonOf, type JsonServer } from './json-access.js';

/** The servers that speak the dialect. */
export type MysqlServer = 'mariadb' | 'mysql' | 'tidb';

/** The collation that compares strings by their bytes, without padding. */
export function bytewiseCollation(server: MysqlServer): string {
  return server === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}

/** Returns a name in backticks. */
function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

const maxInt64 = 2n ** 63n - 1n;

/** Returns the dialect of a server. All values are sent as strings, and no string in a statement contains a backslash. */
export function mysqlDialect(server: MysqlServer): SqlDialect {
  const collation = raw(` COLLATE ${bytewiseCollation(server)}`);
  const bytewise = (text: Sql): Sql => sql`${text}${collation}`;
  const json: JsonServer = {
    bytewise,
    comparesEscapes: server === 'mariadb',
    hasTables: server !== 'tidb',
  };
  const dialect: SqlDialect = {
    name: 'mysql',
    quoted,
    placeholder: '?',
    comparesColumns: true,
    lacksNullsLast: true,
    onlyFinite: true,
    maxInteger: 2n ** 64n - 1n,
    text: parameter,
    integer: (value) =>
      sql`CAST(${parameter(String(value))} AS ${raw(value > maxInt64 ? 'UNSIGNED' : 'SIGNED')})`,
    float: (value) => sql`CAST(${parameter(floatText(value))} AS DOUBLE)`,
    // A driver may send a number as a double, which LIMIT does not accept everywhere.
    limit: (max) => parameter(String(max)),
    asText: (value) => sql`CAST(${value} AS CHAR)`,
    bytewise,
    isTrue: (value) => sql`${value} = 1`,
    isFalse: (value) => sql`${value} = 0`,
    contains: (text, part) => sql`LOCATE(${part}, ${text}) > 0`,
    endsWith: (text, end) => sql`RIGHT(${text}, CHAR_LENGTH(${end})) = ${end}`,
    startsWith: (text, start) => sql`LEFT(${text}, CHAR_LENGTH(${start})) = ${start}`,
    like(text, parts) {
      const escaped = parts
        .map((part) => part.map((word) => word.replace(/[!%_]/g, '!$&')).join('_'))
        .join('%');
      return sql`${text} LIKE ${parameter(escaped)} ESCAPE '!'`;
    },
    pattern: (node) => (isLinear(node, server) ? writePattern(node, re2Flavour) : writeAtomic(node)),
    matches: (text, pattern) => sql`${text} REGEXP ${pattern}`,
    length: (text) => sql`CHAR_LENGTH(${text})`,
    notNaN: null,
    containsNul: null,
    takesNul: true,
    access: accessOf,
    selected: (column, _type, value) => selected(column, value, json),
  };

  function accessOf(column: Column, value: Sql, type: Type): ColumnAccess | null {
    const { store, digits, isBytewise } = column;
    if (store === 'json') return jsonAccess(column, value, type, json);
    if (store !== 'text' && store !== 'timeText') return null;
    const own = isBytewise ? value : bytewise(value);
    const text = { value: own, equal: own, order: own, mayContainNul: false };
    if (store === 'timeText') return valueAccess(column, value, type, { kind: store, text, digits });
    return valueAccess(column, value, type, {
      kind: store,
      text,
      // Equal bytes are equal in every collation, so that an index of the column can serve these tests.
      test: (node) =>
        isBytewise
          ? null
          : looseTest(dialect, text, type, node, (words) => sql`${value} IN (${list(words.map(parameter))})`),
    });
  }

  return dialect;
}

function selected(column: Column, value: Sql, json: JsonServer): Sql {
  switch (column.store) {
    case 'int':
      return sql`CAST(${value} AS CHAR)`;
    case 'json':
      return sql`CAST(${jsonOf(column, value, json)} AS CHAR)`;
    case 'datetime': {
      const written = sql`DATE_FORMAT(${value}, '%Y-%m-%dT%H:%i:%s.%fZ')`;
      if (column.isChecked) return written;
      return sql`CASE WHEN ${isWithin(value, 'datetime')} THEN ${written} WHEN ${value} IS NOT NULL THEN 'no date' END`;
    }
    default:
      return value;
  }
}

/** Maximum number of alternatives of a pattern. Each is tried at each position of a string. */
const maxAlternatives = 200;

/**
 * Whether a server evaluates a pattern in time that is linear in the string, for each position of it. MariaDB and MySQL backtrack:
 * beyond a limit MariaDB finds no match, and MySQL fails. TiDB does not.
 */
function isLinear(node: Node, server: MysqlServer): boolean {
  if (server === 'tidb') return true;
  const { alternatives, runs } = choicesOf(node);
  if (alternatives > maxAlternatives || runs > 1) return false;
  const first = node.kind === 'sequence' ? node.parts[0] : undefined;
  // MySQL counts the steps of all positions.
  return server === 'mariadb' || runs === 0 || (first?.kind === 'assert' && first.position === 'text-start');
}

/** Returns the number of alternatives of a pattern, and of repetitions of a set whose count varies. */
function choicesOf(node: Node): { readonly alternatives: number; readonly runs: number } {
  switch (node.kind) {
    case 'sequence': {
      const parts = node.parts.map(choicesOf);
      return {
        alternatives: parts.reduce((product, each) => product * each.alternatives, 1),
        runs: parts.reduce((sum, each) => sum + each.runs, 0),
      };
    }
    case 'choice': {
      const options = node.options.map(choicesOf);
      return {
        alternatives: options.reduce((sum, each) => sum + each.alternatives, 0),
        runs: options.reduce((sum, each) => sum + each.runs, 0),
      };
    }
    case 'repeat': {
      const { body, min, max } = node;
      const { alternatives, runs } = choicesOf(body);
      if (body.kind === 'chars') return { alternatives: 1, runs: min === max ? 0 : 1 };
      if (min === max) return { alternatives: alternatives ** max, runs: runs * max };
      return max === 1 ? { alternatives: alternatives + 1, runs } : { alternatives: Infinity, runs };
    }
    default:
      return { alternatives: 1, runs: 0 };
  }
}

/**
 * Returns a pattern of fixed parts between runs of anything, which matches the whole string; null for other patterns. Each part but
 * the last is found at its first position, in an atomic group, so that the server does not backtrack.
 */
function writeAtomic(node: Node): string | null {
  const parts = node.kind === 'sequence' ? node.parts : [];
  const [first, last] = [parts[0], parts.at(-1)];
  if (first?.kind !== 'assert' || first.position !== 'text-start') return null;
  if (last?.kind !== 'assert' || last.position !== 'text-end') return null;
  const groups: Node[][] = [[]];
  let any: string | null = null;
  for (const part of parts.slice(1, -1)) {
    if (part.kind === 'repeat' && isRun(part) && part.body.kind === 'chars') {
      any = writePattern(chars(part.body.set), re2Flavour);
      groups.push([]);
    } else if (part.kind === 'chars') groups.at(-1)?.push(part);
    else return null;
  }
  const written = groups.map((group) => group.map((part) => writePattern(part, re2Flavour)).join(''));
  const [start = '', ...others] = written;
  const end = others.pop();
  if (any === null || end === undefined) return null;
  const text = `\\A${start}${others.map((part) => `(?>${any}*?${part})`).join('')}${any}*${end}\\z`;
  return text.length > 16_384 ? null : text;
}
