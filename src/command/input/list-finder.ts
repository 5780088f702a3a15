import { openBrace, openBracket } from './json-byte.js';

/** The position of the list of rows in a kind of document, and the other keys that such a document may have. */
interface ListShape {
  readonly path: readonly string[];
  readonly neighbours: ReadonlySet<string> | 'any';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Keys that only describe paging. They are compared ignoring case and punctuation. */
const pagingKeys = words(`
  next nextpage nextpagetoken nexttoken nextcursor nextlink nexturl nextmarker nextrecordsurl
  prev previous prevpage previouspage prevcursor previouscursor
  cursor cursors marker continuation continue continuationtoken pagetoken scrollid lastevaluatedkey
  total totalcount totalitems totalresults totalrows totalpages totalsize totalhits totalrecords
  count scannedcount resultcount incompleteresults
  page pages pageinfo pagesize pagelen pagenumber perpage paging pagination limit offset startat maxresults
  hasmore hasnext hasnextpage haspreviouspage islast islastpage
  meta metadata responsemetadata link links selflink self kind apiversion etag included jsonapi typename requestid
  odatacontext odatacount odatanextlink odatametadata odatadeltalink
`);

/** Known positions of lists in API responses, each with the other keys of that kind of document. */
const knownLists: readonly ListShape[] = [
  ...['items', 'data', 'results', 'rows', 'records', 'value', 'values', 'edges', 'nodes', 'entries', 'hits'],
  ...['data.items', 'd.results'],
]
  .map((path): ListShape => ({ path: path.split('.'), neighbours: new Set() }))
  .concat([
    { path: ['features'], neighbours: words('type name crs bbox timestamp generator copyright') },
    {
      path: ['hits', 'hits'],
      neighbours: words(
        'took timedout shards maxscore terminatedearly numreducephases aggregations suggest profile pitid',
      ),
    },
  ]);

function normalized(key: string): string {
  return key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** How to treat the value of a key. `foreign`: the document contains no list for this finder. */
export type KeyMeaning = 'list' | 'enter' | 'skip' | 'foreign';

/** Finds the list of rows in an envelope, key by key: a document with exactly one list under a known name, and otherwise only paging keys. */
export class ListFinder {
  /** Number of keys that lead to the current object. */
  private depth = 0;
  private name = '';
  private shapes = knownLists;

  /** Reads a key of the current object. Returns false if a document with such a key cannot contain the list. */
  readKey(key: string): boolean {
    this.name = key.toLowerCase();
    const name = normalized(key);
    const isPaging = pagingKeys.has(name);
    this.shapes = this.shapes.filter(
      ({ path, neighbours }) =>
        isPaging || path[this.depth] === this.name || neighbours === 'any' || neighbours.has(name),
    );
    return this.shapes.length > 0;
  }

  /** Returns how to treat the key's value, given its first byte. `enter` makes it the current object. */
  readValue(byte: number): KeyMeaning {
    const next = this.depth + 1;
    const onPath = this.shapes.filter(({ path }) => path[this.depth] === this.name);
    if (onPath.length === 0) return 'skip';
    const isList = byte === openBracket;
    this.shapes = onPath.filter(({ path }) =>
      isList ? path.length === next : byte === openBrace && path.length > next,
    );
    if (this.shapes.length === 0) return 'foreign';
    if (!isList) this.depth = next;
    return isList ? 'list' : 'enter';
  }

  /** Ends the current object. */
  leave(): void {
    this.depth -= 1;
  }
}

const firstKey = /^\s*\{\s*"((?:[^"\\]|\\.){0,200})"/;
const listNames = [...new Set(knownLists.map(({ path }) => path.at(-1)))];
const listKey = new RegExp(`"(?:${listNames.join('|')})"\\s*:\\s*\\[|\\\\u`, 'i');
const firstKeys = new Set([
  ...pagingKeys,
  ...knownLists.flatMap(({ path, neighbours }) => [path[0], ...(neighbours === 'any' ? [] : neighbours)]),
]);

/** Whether a document may be an envelope, given its beginning. A cheap test with false positives only. */
export function mayBeEnvelope(text: string, isWhole: boolean): boolean {
  if (isWhole && !text.includes('[')) return false;
  const key = firstKey.exec(text)?.[1];
  if (key === undefined) return false;
  const isKnown = firstKeys.has(normalized(key)) || key.includes('\\');
  return isKnown && (!isWhole || listKey.test(text));
}
