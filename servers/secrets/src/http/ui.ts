import { uiFiles } from './ui-page.js';

/** A page outside of the API. */
export type Page =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'file'; readonly type: string; readonly text: string; readonly policy: string };

/** Content security policy: only files of this server, no framing. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'";

/** Returns the page of a path. If the pages are disabled, only crawlers get a response. */
export type Pages = (path: string) => Page | null;

/**
 * Creates the pages.
 *
 * @param mounts paths of mounts with logins, such as `auth/cloud`; null if there is no page.
 */
export function createPages(mounts: readonly string[] | null): Pages {
  const robots = file('text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n');
  if (mounts === null) return (path) => (path === '/robots.txt' ? robots : null);
  const { page, style, script } = uiFiles(mounts);
  const index = file('text/html; charset=utf-8', page);
  const toIndex: Page = { kind: 'redirect', location: '/ui/' };
  const known: ReadonlyMap<string, Page> = new Map([
    ['/robots.txt', robots],
    ['/', toIndex],
    ['/ui', toIndex],
    ['/ui/style.css', file('text/css; charset=utf-8', style)],
    ['/ui/script.js', file('text/javascript; charset=utf-8', script)],
  ]);
  return (path) => known.get(path) ?? (path.startsWith('/ui/') ? index : null);
}

function file(type: string, text: string): Page {
  return { kind: 'file', type, text, policy: type.startsWith('text/html') ? policy : '' };
}
