import { createLanguageClient } from './language-client.js';

/** The filter languages of the lists, served by the page's single worker. */
export const languages = createLanguageClient(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'language' }),
);
