import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** The static files of the console or the documentation, in memory: requests never access paths on disk. */
export interface Site {
  /** The first page; the console returns it for each of its paths. */
  readonly index: SiteFile;
  /** Files by path below the page, such as `assets/main-1a2b3c4d.js`. */
  readonly files: ReadonlyMap<string, SiteFile>;
}

/** A file of a site. */
export interface SiteFile {
  readonly type: string;
  /** Whether its name contains a hash of its content, so that clients can cache it forever. */
  readonly isHashed: boolean;
  readonly plain: SiteBody;
  /** The versions compressed by the build, by content coding; empty if compression does not help. */
  readonly coded: ReadonlyMap<ContentCoding, SiteBody>;
}

/** A body in bytes, with its entity tag. */
export interface SiteBody {
  readonly tag: string;
  readonly bytes: Buffer;
}

/** Content codings in order of preference. */
export const contentCodings = ['br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

const suffixes: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
};

/** Reads a built site; null if none exists, for example if the server runs from source. */
export async function readSite(folder: string): Promise<Site | null> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const read = names
    .filter((name) => extname(name) !== '')
    .map(async (name): Promise<[path: string, body: SiteBody]> => {
      const bytes = await readFile(join(folder, name));
      return [name.split(sep).join('/'), { bytes, tag: tagOf(bytes) }];
    });
  const bodies = new Map(await Promise.all(read));
  const files = new Map<string, SiteFile>();
  for (const [path, plain] of bodies) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const coded = new Map<ContentCoding, SiteBody>();
    for (const coding of contentCodings) {
      const body = bodies.get(`${path}${suffixes[coding]}`);
      if (body !== undefined) coded.set(coding, body);
    }
    files.set(path, { type, isHashed: path.startsWith('assets/'), plain, coded });
  }
  const index = files.get('index.html');
  return index === undefined ? null : { index, files };
}

/** Returns a function that reads a site when it is first called, and again until the site is built. */
export function readSiteOnce(folder: string | undefined): () => Promise<Site | null> {
  let site: Promise<Site | null> = Promise.resolve(null);
  return async () => {
    if (folder !== undefined && (await site) === null) site = readSite(folder);
    return site;
  };
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
