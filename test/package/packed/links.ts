import { posix } from 'node:path';

/** The relative links of a text in Markdown: `[..](..)`, `[..]: ..` and attributes of HTML; none in code. */
function linksIn(markdown: string): string[] {
  const prose = markdown.replace(/^ *(```|~~~)[^]*?^ *\1/gm, '').replace(/`[^`\n]*`/g, '');
  const forms = [/\]\(\s*<?([^)\s>]+)/g, /^ *\[[^\]]+\]: *<?([^\s>]+)/gm, /\b(?:href|src)="([^"]+)"/g];
  return forms
    .flatMap((form) => [...prose.matchAll(form)].map(([, link = '']) => link))
    .filter((link) => !/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(link));
}

/**
 * How many relative links the pages of a package have, and those that lead to no file of it. A link to a folder is one to what is in it.
 *
 * @param pages the texts by their paths in the package
 * @param files the paths of all that is in it
 */
export function findDeadLinks(
  pages: ReadonlyMap<string, string>,
  files: readonly string[],
): { readonly links: number; readonly dead: readonly { readonly page: string; readonly file: string }[] } {
  const links = [...pages].flatMap(([page, text]) =>
    linksIn(text).map((link) => ({
      page,
      file: posix.join(posix.dirname(page), decodeURIComponent(link.replace(/[#?].*$/, ''))),
    })),
  );
  const isThere = (path: string): boolean =>
    files.includes(path) || files.some((file) => file.startsWith(`${path}/`));
  return { links: links.length, dead: links.filter(({ file }) => !isThere(file)) };
}
