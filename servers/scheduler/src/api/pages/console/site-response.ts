import { acceptsCoding } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import type { RouteResponse } from '../../kernel/response.js';
import { contentCodings, type SiteBody, type SiteFile } from '../../kernel/site.js';

/**
 * The content security policy of the console: its own scripts, styles, workers and images, and requests to this agent. No inline
 * code, no embedding in frames.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headersOfAll = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Returns a response with a file, in an encoding that the client accepts; 304 if its copy is current. */
export function siteResponse(
  { headers }: Pick<FastifyRequest, 'headers'>,
  file: SiteFile,
  policy = consolePolicy,
): RouteResponse {
  const coding = contentCodings.find((one) => {
    return file.coded.has(one) && acceptsCoding(headers['accept-encoding'], one);
  });
  const { tag, bytes } = bodyIn(file, coding);
  const sent = {
    ...headersOfAll,
    'content-security-policy': policy,
    ...(coding === undefined ? {} : { 'content-encoding': coding }),
    etag: tag,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (hasTag(headers['if-none-match'], tag)) return { status: 304, headers: sent };
  return { headers: sent, type: file.type, body: bytes };
}

function bodyIn({ plain, coded }: SiteFile, coding: (typeof contentCodings)[number] | undefined): SiteBody {
  return (coding === undefined ? undefined : coded.get(coding)) ?? plain;
}

/** Tags are compared weakly: a proxy may have marked them so (RFC 9110, 13.1.2). */
function hasTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
