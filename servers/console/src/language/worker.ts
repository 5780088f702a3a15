import { parse } from 'tamis';
import type { LanguageResponse, LanguageCall, ResourceLanguage, ResourceName } from './protocol.js';
import { createResourceLanguage } from './resource-language.js';
import { schemas } from './schemas.js';

/** The type of all methods, whose arguments come from a page of the same build. */
type WorkerMethod = (...args: readonly unknown[]) => Promise<unknown>;

const languages = new Map<ResourceName, ResourceLanguage>();
// Initialises the parser while the page renders instead of on the first key.
parse('ready == true');

function languageOf(resource: ResourceName): ResourceLanguage {
  const known = languages.get(resource) ?? createResourceLanguage(schemas[resource]);
  languages.set(resource, known);
  return known;
}

addEventListener('message', ({ data: { id, resource, method, args } }: MessageEvent<LanguageCall>) => {
  const respond = (message: LanguageResponse): void => {
    postMessage(message);
  };
  const language = languageOf(resource) as unknown as Record<typeof method, WorkerMethod>;
  language[method](...args).then(
    (value) => {
      respond({ id, ok: true, value });
    },
    (error: unknown) => {
      respond({ id, ok: false, message: error instanceof Error ? error.message : String(error) });
    },
  );
});
