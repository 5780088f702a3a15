/**
 * Uses of the words that scripts/words.mjs rejects, each with its reason: at most 40.
 *
 * @type {readonly { path: RegExp, words?: RegExp, reason: string }[]}
 */
export const allowed = [
  { path: /^scripts\/words(-allowed)?\.mjs$/, reason: 'the list itself' },
  {
    path: /^conformance\//,
    words: /answer|asks|asked/i,
    reason: 'names of the protocol, which other implementations use',
  },
  { path: /^grammar\/operators\.md$/, reason: 'generated from the messages' },
  { path: /^CHANGELOG\.md$/, reason: 'entries of released versions stay as they were' },
];

/**
 * Identifiers with a word that scripts/words.mjs rejects, each with its reason.
 *
 * @type {readonly { path?: RegExp, names: readonly string[], reason: string }[]}
 */
export const allowedNames = [
  {
    path: /^(conformance|test\/conformance)\/|^test\/(fuzz\/campaign|package\/packed\/parity\.test|property\/interpreter-conforms\.test)\.ts$/,
    names: [
      'answer',
      'answers',
      'Answer',
      'onAnswer',
      'formatAnswer',
      'createTamisAnswers',
      'asks',
      'patience',
    ],
    reason: 'fields and options of the conformance protocol (PROTOCOL.md)',
  },
  { names: ['atLeast', 'atMost'], reason: 'methods of the builder, which read like the filter' },
  { names: ['longestMatch'], reason: 'a real superlative' },
  {
    path: /^(src\/filter\/explain|src\/lists\/query\/result|playground|test)\//,
    names: ['least'],
    reason: 'a field of explanations that endpoints send',
  },
  { path: /^servers\//, names: ['Least'], reason: 'a field of the API of the scheduler' },
  { path: /^servers\/secrets\/src\/tokens\//, names: ['longest'], reason: 'a field of a stored record' },
  { path: /^scripts\/proof-install\.mjs$/, names: ['keep'], reason: 'the option --keep of the command' },
  { names: ['Keeper'], reason: 'a field of the test data' },
  {
    path: /^test\/language\.test\.ts$/,
    names: ['Answers'],
    reason: 'the heading of a table in the documentation',
  },
  {
    names: [
      'keepAlive',
      'keepAliveTimeout',
      'shouldKeepAlive',
      'setKeepAlive',
      'keepNames',
      'leaseKeepAlive',
      'LeaseKeepAliveRequest',
      'LeaseKeepAliveResponse',
      'showModal',
      'showPanel',
    ],
    reason: 'names of Node, esbuild, etcd, HTML and CodeMirror',
  },
];
