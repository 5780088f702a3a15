/**
 * The sets of `\p{Greek}` and `\pL`. The names are those of Go 1.19: one- and two-letter general categories and the scripts of
 * Unicode 13, written exactly so. The members come from the runtime's own tables, so nothing is shipped and a pattern uses the
 * runtime's Unicode version (17 on Node 20.20, while Go 1.19 has 13: the two differ only in characters that Unicode 13 had not
 * assigned). Finding a set takes up to 4 ms, once for each name.
 */
import { everything, normalize, type CodeSet } from './code-set.js';

/** General categories: each major category of Go with the letters of its minor ones. */
const categories = 'C:cfos L:lmotu M:cen N:dlo P:cdefios S:ckmo Z:lps';

const scripts =
  'Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki ' +
  'Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee ' +
  'Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan ' +
  'Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi ' +
  'Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited ' +
  'Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi ' +
  'Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani ' +
  'Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui ' +
  'Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari New_Tai_Lue ' +
  'Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic ' +
  'Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau ' +
  'Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting ' +
  'Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet ' +
  'Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai Wancho Warang_Citi Yezidi Yi ' +
  'Zanabazar_Square';

/** Native character classes by name. Created when the first pattern needs one. */
let nativeNames: ReadonlyMap<string, string> | undefined;

function* categoryNames(): Generator<[name: string, native: string]> {
  for (const entry of categories.split(' ')) {
    const [major = '', minors = ''] = entry.split(':');
    // `\p{C}` is not used: the native class includes unassigned code points, but Go's does not.
    yield [major, [...minors].map((minor) => `\\p{${major}${minor}}`).join('')];
    for (const minor of minors) yield [major + minor, `\\p{${major}${minor}}`];
  }
}

function* scriptNames(): Generator<[name: string, native: string]> {
  for (const name of scripts.split(' ')) yield [name, `\\p{Script=${name}}`];
}

/** Cached sets by native class. At most one for each of Go's 200 names. */
const found = new Map<string, CodeSet>();

/** Whether the set of a name must be computed. */
export function isUnicodeClass(name: string): boolean {
  return nativeName(name) !== undefined;
}

function nativeName(name: string): string | undefined {
  nativeNames ??= new Map([...categoryNames(), ...scriptNames()]);
  return nativeNames.get(name);
}

/** Returns the set of a name (`L`, `Lu`, `Greek`, `Any`); null if Go has no such name. */
export function unicodeClass(name: string): CodeSet | null {
  if (name === 'Any') return everything;
  const native = nativeName(name);
  if (native === undefined) return null;
  const known = found.get(native);
  if (known !== undefined) return known;
  const set = findMembers(native);
  found.set(native, set);
  return set;
}

type Range = readonly [first: number, last: number];

/** The parts of the code space with various kinds of characters. */
const mixed: readonly Range[] = [
  [0x0000, 0x33ff],
  [0x4dc0, 0x4dff],
  [0x9ffd, 0xabff],
  [0xd7a4, 0xd7ff],
  [0xf900, 0xffff],
  [0x10000, 0x16fff],
  [0x187f8, 0x1ffff],
  [0x2a6de, 0x2a6df],
  [0x2b735, 0x2b73f],
  [0x2b81e, 0x2b81f],
  [0x2cea2, 0x2cead],
  [0xe0000, 0xe01ff],
];

/** Large blocks whose code points all have the same properties: ideographs, syllables, surrogates, private use. */
const uniform: readonly Range[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9ffc],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0x17000, 0x187f7],
  [0x20000, 0x2a6dd],
  [0x2a700, 0x2b734],
  [0x2b740, 0x2b81d],
  [0x2b820, 0x2cea1],
  [0x2ceb0, 0x2ebe0],
  [0x2ebf0, 0x2ee5d],
  [0x2f800, 0x2fa1d],
  [0x30000, 0x3134a],
  [0x31350, 0x323af],
  [0x323b0, 0x33479],
  [0xf0000, 0xffffd],
  [0x100000, 0x10fffd],
];

/** The strings of the mixed parts, 250 kB: building them takes longer than searching them. */
let texts: readonly { readonly first: number; readonly text: string }[] | undefined;

/** Everything else is unassigned in Unicode 17. */
function findMembers(native: string): CodeSet {
  texts ??= mixed.map(([first, last]) => ({ first, text: textOf(first, last) }));
  const one = new RegExp(`^[${native}]$`, 'u');
  const run = new RegExp(`[${native}]+`, 'gu');
  const ranges = uniform.filter(([first]) => one.test(String.fromCodePoint(first)));
  for (const { first, text } of texts) {
    const width = first > 0xffff ? 2 : 1;
    for (const { index, 0: found } of text.matchAll(run)) {
      const start = first + index / width;
      ranges.push([start, start + found.length / width - 1]);
    }
  }
  return normalize(ranges);
}

/** Returns all code points of a range in one string, so that one native search covers them. */
function textOf(first: number, last: number): string {
  const codes = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  let text = '';
  for (let at = 0; at < codes.length; at += 4_096)
    text += String.fromCodePoint(...codes.slice(at, at + 4_096));
  return text;
}
