import { createLanguageClient } from './language-client.js';

/** The languages of the lists, by the one worker of the page. */
export const languages = createLanguageClient(
  () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'language' }),
);
