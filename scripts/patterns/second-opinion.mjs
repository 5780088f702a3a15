/**
 * A second opinion on the patterns that go to the native RegExp as proven linear: recheck, a checker with other
 * methods, must find no super-linear text for any of them. Not part of the tests, for it takes minutes:
 *
 *   npm install --no-save recheck@4.5.0
 *   node --import tsx scripts/patterns/second-opinion.mjs [number of generated patterns] [seed]
 *
 * recheck analyses the translations as V8 runs them, flag included. Its `unknown` (timeout) is counted and is not a
 * finding. To check the check itself, recheck also analyses patterns that the proof rejects: it must find most of them
 * super-linear.
 */
import { nativeRegExp } from '../../src/language/values/pattern/native.ts';
import { parsePattern } from '../../src/language/values/pattern/parser.ts';
import { prove } from '../../src/language/values/pattern/proof.ts';
import { simplify } from '../../src/language/values/pattern/simplify.ts';
import { generatePattern, randomOf } from '../../test/values/pattern/generate.ts';

// 57 MB, most of it programs for other machines: too much to install with every clone.
const { check } = await import('recheck').catch(() => {
  console.error('recheck is missing: npm install --no-save recheck@4.5.0');
  process.exit(2);
});

const [count = '1000', seed = '1'] = process.argv.slice(2);
const timeout = 10_000;

/** What people write, and what lies close to the border. */
const written = [
  ...[
    '^web-[0-9]+$',
    'web-[0-9]',
    '(?i)frontend',
    '^a+[123]',
    'job-0[123]',
    '^(a|b)*c',
    '^(a+)+$',
    '^(\\w+-)+\\d+$',
  ],
  ...[
    '\\bapi\\b',
    '-[0-9]+$',
    'a.{4}b',
    '[^@]+@[^@]+\\.[a-z]{2,}',
    '^[^@]+@[^@]+\\.[a-z]{2,}$',
    '\\s+$',
    '^\\s*$',
  ],
  ...[
    '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
    '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}',
    '\\.js$',
  ],
  ...[
    '(foo|bar|baz|qux|running|pending|dead|alive)',
    'error|warn(ing)?|fatal',
    '2024-(0[1-9]|1[0-2])-\\d{2}T',
  ],
  ...[
    '(?i)^prod-(us|eu)-(east|west)-[0-9]+-(web|api|db)$',
    'host[0-9]{1,3}\\.example\\.(com|org)',
    '^.*-[0-9]+$',
  ],
  ...[
    '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
    '^\\pL+$',
    '^(?:[a-z]+\\.)*[a-z]+$',
    '^web-.*$',
    '(?m)^a+$|^b',
  ],
  ...['^[a-z]+(-[a-z]+)*$', '^(a|b)*a(a|b)$', '"[^"]*"'],
  ...[
    '<[^>]*>',
    '\\[[^\\]]*\\]x',
    '^(.)*$',
    '^(ab|cd|ef)+$',
    '(?i)^(?:k|s)+$',
    '^\\d+(?:,\\d{3})*$',
    '=[^=]*=',
  ],
];

/** Super-linear: the proof must refuse them, and recheck should see why. */
const superLinear = [
  'a[ab]*c',
  '^a*a*b',
  '^(a|aa)+$',
  '^(ab|a|b)*c',
  'web-.*-prod',
  '^([a-c]x?|[b-d])*y',
  '-[a-z-]+$',
];

async function main() {
  const random = randomOf(Number(seed));
  const generated = Array.from({ length: Number(count) }, () => generatePattern(random, 4));
  const sources = new Map([...written, ...generated].flatMap(translations));
  const counts = { linear: 0, unknown: 0, superLinear: 0 };
  for (const [translation, source] of sources) {
    const { status, complexity } = await check(translation, 'u', { timeout });
    if (status === 'safe') counts.linear += 1;
    else if (status === 'unknown') counts.unknown += 1;
    else {
      counts.superLinear += 1;
      console.error(`${source} runs as /${translation}/u: ${complexity?.type} ${complexity?.degree ?? ''}`);
    }
  }
  console.log(`${sources.size} translations proven linear; recheck on them:`, counts);
  const seen = await countSeen();
  console.log(`recheck finds ${seen} of ${superLinear.length} that the proof refuses super-linear`);
  if (counts.superLinear > 0 || seen < superLinear.length) process.exitCode = 1;
}

/** The translation of a pattern that takes the native way unguarded, and its source; nothing for the others. */
function translations(source) {
  const node = simplifiedOrNull(source);
  if (node === null || prove(node).kind !== 'linear') return [];
  const native = nativeRegExp(node);
  return native === null ? [] : [[native.source, source]];
}

function simplifiedOrNull(source) {
  try {
    return simplify(parsePattern(source).node);
  } catch {
    return null;
  }
}

async function countSeen() {
  let seen = 0;
  for (const source of superLinear) {
    const node = simplifiedOrNull(source);
    if (node === null || prove(node).kind === 'linear') throw new Error(`${source} counts as linear`);
    const { status } = await check(nativeRegExp(node)?.source ?? '', 'u', { timeout });
    if (status === 'vulnerable') seen += 1;
  }
  return seen;
}

await main();
process.exit();
