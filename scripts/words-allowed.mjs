/**
 * Uses of the words that scripts/words.mjs rejects, each with its reason: at most 40.
 *
 * @type {readonly { path: RegExp, words?: RegExp, reason: string }[]}
 */
export const allowed = [
  { path: /^scripts\/(rename\/)?words(-allowed)?\.mjs$/, reason: 'the list itself' },
  {
    path: /^(servers\/(scheduler\/docs\/|[^/]+\/README\.md)|conformance\/.*\.md|playground\/.*\.md|editor\/.*\.md|bench\/.*\.md)/,
    reason: 'documents are rewritten in an issue of their own',
  },
  {
    path: /^conformance\//,
    words: /answer|asks|asked/i,
    reason: 'names of the protocol, which other implementations use',
  },
  { path: /^grammar\/operators\.md$/, reason: 'generated from the messages' },
  { path: /^CHANGELOG\.md$/, reason: 'entries of released versions stay as they were' },
];
