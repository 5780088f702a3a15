import { createHash } from 'node:crypto';
import type { AgentContext } from '../../kernel/agent-context.js';
import { agentRoute, type AgentRoute } from '../../kernel/agent-route.js';
import { textResponse, type RouteResponse } from '../../kernel/response.js';
import type { Call } from '../../kernel/route.js';
import type { SiteFile } from '../../kernel/site.js';
import { consolePolicy, siteResponse } from '../console/site-response.js';
import { page } from '../front-page/front-page-routes.js';

/** The documentation site. It is part of the repository, not of the package, and no request builds it. */
export const docsRoutes: readonly AgentRoute[] = [
  agentRoute({
    ...page,
    path: '/docs',
    summary: 'Show the way to the documentation',
    run: () => ({ status: 307, headers: { location: '/docs/' } }),
  }),
  agentRoute({ ...page, path: '/docs/', summary: 'Show the documentation', run: sendFile }),
  agentRoute({ ...page, path: '/docs/{path}', summary: 'Show a page of the documentation', run: sendFile }),
];

async function sendFile(
  _input: unknown,
  { docs }: AgentContext,
  { id, request }: Call,
): Promise<RouteResponse> {
  const site = await docs();
  if (site === null)
    return textResponse(404, 'The documentation is not built: run `npm run docs:site` in the repository');
  const file = site.files.get(id === '' || id.endsWith('/') ? `${id}index.html` : id);
  if (file === undefined) return textResponse(404, 'The documentation has no such page: see /docs/');
  return siteResponse(request, file, policyOf(file));
}

/** Permits the files of the site, and in a page also its own inline scripts and style sheets, by their hashes. */
function policyOf({ type, plain }: SiteFile): string {
  const text = type.startsWith('text/html') ? plain.bytes.toString() : '';
  const hashesOf = (tag: string): string =>
    [...text.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>(.*?)</${tag}>`, 'gs'))]
      .map(([, inline = '']) => ` 'sha256-${createHash('sha256').update(inline).digest('base64')}'`)
      .join('');
  // Colours of highlighted code are attributes. The script of the API reference adds an empty style sheet, which has the hash.
  const emptySheet = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
  return consolePolicy
    .replace("script-src 'self'", `$&${hashesOf('script')}`)
    .replace("style-src 'self'", `$&${hashesOf('style')} ${emptySheet}; style-src-attr 'unsafe-inline'`)
    .replace("img-src 'self'", '$& data:');
}
