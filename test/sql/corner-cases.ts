/** Rows that have what databases and filters see in two ways. */
const group = { Name: 'front', Count: 3, Load: 0.5, On: true, Tags: ['a', ''], Note: null };
const corners: readonly Record<string, unknown>[] = [
  {},
  {
    text: '',
    owner: '',
    whole: 0,
    load: 0,
    flag: false,
    tags: [],
    notes: [],
    nums: [],
    meta: {},
    groups: [],
  },
  { text: 'web-1', owner: 'ann', whole: 5, maybeWhole: 5, count: 5, load: 0.1, maybeLoad: 1.5, flag: true },
  { text: 'K', owner: '\u212a', whole: 9007199254740993n, load: NaN, maybeLoad: NaN, tags: ['K'] },
  {
    text: 'k',
    owner: 'K',
    whole: 9007199254740992n,
    load: Infinity,
    maybeLoad: -Infinity,
    tags: ['k', 'web'],
  },
  { text: 'ſ', owner: 's', whole: -(2n ** 63n), load: -0, maybeLoad: 5e-324, tags: ['ſ'] },
  { text: 'ß', owner: 'ẞ', whole: 2n ** 63n - 1n, load: 1.7976931348623157e308, nums: [2n ** 63n - 1n, 0] },
  { text: 'İ', owner: 'i', tags: [null], notes: [null], nums: [null], flags: [null], labels: [null] },
  { text: '\ufffd', owner: '\ufffe', tags: ['<invalid Value>'], notes: ['<invalid Value>'] },
  { text: '\uffff', owner: '\ufffd', tags: ['', 'x'], notes: [''], labels: [] },
  { text: '\u{10ffff}', owner: '\ue000', strict: '\ud7ff' },
  { text: 'a%b_c\\d*e?f[g]h^i-j', owner: "it's", strict: '$1 ? "q"' },
  { text: 'line\nend', owner: 'line', strict: '^end$' },
  { text: '\u{1f600}', owner: '\u{1f600}\u{1f600}', strict: '\uff01' },
  { text: 'WEB-1', owner: 'web-10', strict: 'web-1', meta: { env: 'prod', k: '' } },
  {
    text: 'e\u0301',
    owner: 'é',
    strict: 'É',
    meta: { k: null, "a'b": 'x', 'a"b': 'y', '$.k': 'z', '?': '1' },
  },
  {
    meta: { '': 'empty', __proto__x: 'p', '0': 'zero' },
    counts: { k: 9007199254740993n, none: null, low: -(2n ** 63n), high: 2n ** 63n - 1n },
  },
  { meta: null, counts: {}, groups: [group], periodic: { Spec: '@daily', Every: 5 } },
  { groups: [null, {}], periodic: {}, deep: {} },
  {
    groups: [{ ...group, Name: null, Count: null, Tags: null, On: null, Note: 'x' }],
    periodic: { Spec: null },
  },
  { groups: [{ ...group, Count: -1, Load: 1e300 }, group], deep: { One: group, Label: 'L' } },
  {
    at: '2026-11-01T00:00:00.123456Z',
    maybeAt: '0001-01-01T00:00:00.000000Z',
    stamp: '2026-11-01T00:00:00.123Z',
  },
  {
    at: '9999-12-31T23:59:59.999999Z',
    maybeAt: '2026-11-01T00:00:00.123457Z',
    stamp: '0000-01-01T00:00:00.000Z',
  },
  {
    at: '0001-01-01T00:00:00.000000Z',
    stamp: '9999-12-31T23:59:59.999Z',
    ms: -1,
    seconds: -1,
    span: 7,
    wait: 7,
    size: 512,
  },
  {
    ms: 1793491200000,
    seconds: 1793491200,
    span: -3600,
    wait: -3600000,
    size: 0,
    length: '1h30m',
    address: '10.0.0.1',
    version: '1.10.0',
  },
  { length: '', address: '', version: '', peers: ['10.0.0.1', '::1', null] },
  { length: '90m', address: '::ffff:10.0.0.1', version: 'v1.9.2', peers: [] },
];

export const rows = corners.map((row, at) => ({
  strict: '',
  count: 0,
  ...row,
  id: `r${String(at).padStart(2, '0')}`,
}));

/**
 * Filters, and their translation to PostgreSQL, SQLite and DuckDB: exact, weaker with a residual, or residual alone. Those that
 * use a SQLite string function that stops at U+0000 are weaker unless a CHECK excludes it.
 */
const filters = `
EEE text == "K"
EEE text != ""
EEE text == ""
EEE owner == ""
EEE owner != "ann"
EEE text < "a"
EEE text >= "\\uFF01"
EEE owner > ""
ERE text < "K\\u0000b"
ERE not (owner >= "web-1\\u0000")
RRR text in ["K", "${'k'.repeat(1001)}"i]
EEE not (owner <= "z")
EEE text in ["K", "", "web-1"]
EEE text not in ["K"]
EEE owner in ["ann", "K"i]
EEE owner not in []
EEE text in []
EEE text contains ""
EEE text contains "%"
EEE text contains "_c"
EEE text not contains "a"
EEE text contains "\\\\"
EEE text starts with "web"
EEE text not starts with "web"
EEE owner starts with ""
EEE owner not starts with "web-1"
EEE text starts with "\\uFFFF"
EEE text starts with "\\U0010FFFF"
EEE text starts with "a\\U0010FFFF"
EEE owner starts with "\\uD7FF"
EEE text contains "b_1"
EWE strict matches "^\\uFFFD$"
EEE text ends with ""
EEE owner not ends with "n"
EEE text ends with "-1"
EEE strict like "*?*"
EEE strict like "web-?"
EEE text like "K"
EEE text like "web*"
EEE text like "*1"
EEE text like "*e*"
EEE strict like "*q*"
EWE text like "?"
EWE text like "*-*-*"
EWE text not like "w?b*"
EEE strict like "\\\\^*$"
EEE text like "*[[]*"
EEE text like "*\\\\**"
EWE text == "k"i
EWE text != "S"i
EEE owner == "KELVIN"i
EEE owner == "ss"i
EEE owner == "\u00df"i
EEE strict contains "WEB"i
EEE owner starts with "K"i
EEE owner not ends with "K"i
EEE owner like "WEB-*"i
EWE text matches "K"
EEE strict matches "^web-1$"
EEE strict matches "[a-z]"
EEE owner not matches "^.$"
EEE owner matches "(?s)^.$"
EEE owner matches "(?i)^k"
EEE strict matches "\\\\^"
ERE owner matches "^(web|ann)"
EEE owner matches "[0-9]+$"
WWW text matches "\\\\bweb"
WWW text matches "(?m)^end"
EWE text matches "e.d"
EWE owner matches "(x|^w){1,3}eb"
EEE owner matches ""
EEE owner not matches ""
EEE strict matches "[\\\\]^-]"
EEE strict matches "[^a]"
EEE strict matches "[\\\\^-]"
EEE strict == @text
EEE owner == @text
EEE owner != @strict
EEE owner < @strict
EWE text contains @owner
EWE text starts with @owner
EEE strict ends with @strict
EWE strict not ends with @text
EEE text is empty
EEE owner is not empty
EEE owner is nil
EEE owner is not nil
EWE len(text) == 1
EEE len(owner) > 1
EEE len(strict) in [0, 1, 6]
EEE not (len(owner) < 2)
EEE len(owner) < @count
EEE len(tags) <= @count
ERE len(length) < @count
ERE len(length) == @count
ERE len(address) <= @count
ERE len(version) == @count
EEE whole == 9007199254740993
EEE whole != 0
EEE whole == 0
EEE whole < 9007199254740993
EEE not (whole < 1)
EEE whole >= "-9223372036854775808"
EEE whole in [5, 0, 9007199254740992]
EEE whole not in [0]
EEE maybeWhole != 5
EEE maybeWhole < 6
EEE maybeWhole not in [5]
EEE count == 18446744073709551615
EEE count < 18446744073709551615
EEE count >= 9223372036854775808
EEE whole == @maybeWhole
EEE maybeWhole >= @count
RRR whole < @load
EEE load == 0.1
EEE load != 0
EEE load == 0
EEE load > 1.5
EEE not (load > 1.5)
EEE load <= inf
EEE load >= "-inf"
EEE load == nan
EEE load != nan
EEE load in [0.1, inf, nan]
EEE maybeLoad < 0
EEE not (maybeLoad < 0)
EEE maybeLoad == "-inf"
EEE load < @maybeLoad
EEE maybeLoad != @load
EEE load == @load
EEE flag == true
EEE flag != true
EEE flag == false
EEE maybeFlag != false
EEE flag == @maybeFlag
EEE at > 2026-11-01
EEE not (at > 2026-11-01)
EEE at == 2026-11-01T00:00:00.123456Z
EEE at == 2026-11-01T00:00:00.1234561Z
EEE at >= 2026-11-01T00:00:00.1234561Z
EEE at <= 2026-11-01T00:00:00.1234561Z
EEE not (at < 2026-11-01T00:00:00.1234561Z)
EEE at in [2026-11-01T00:00:00.123456Z, 0001-01-01]
EEE at == 0001-01-01
EEE at > 0001-01-01
EEE at >= 0000-01-01
EEE at is empty
EEE at is not empty
EEE maybeAt < now
EEE maybeAt != 0001-01-01
EEE maybeAt not in [now]
EEE maybeAt > now - 300w
EEE at == @maybeAt
RER at contains "2026"
RER maybeAt starts with "0"
EEE stamp >= 0000-01-01
EEE stamp < 2026-11-01T00:00:00.1231Z
EEE stamp contains "T"
EEE stamp == "x"
EEE stamp is empty
EEE ms == -1
EEE ms > 2026-11-01
EEE ms == 2026-11-01T00:00:00Z
EEE ms < now
EEE ms in [0, now]
RRR ms == @seconds
RRR span < @wait
EEE seconds == 2026-11-01T00:00:00Z
EEE wait > "-1.5h"
EEE span > 1.5s
EEE span == 1.5s
EEE not (span < "-1h")
EEE size >= 0.4999GiB
EEE size == 512MiB
RRR length == 90m
RRR length > 1h
EEE length == "90 m"
EEE length ends with "m"
RRR address in [10.0.0.0/8]
EEE address contains "10."
EEE address is empty
EEE address == "10.0.0"
RRR version >= 1.10.0
EEE version == 1.10
EEE version starts with "v"
EEE version is empty
EEE "K" in tags
EEE "" in tags
EEE "" not in tags
EWE "k"i in tags
EEE "x" not in notes
EEE "" in notes
EEE "<invalid Value>" in notes
EEE "<invalid Value>" in tags
EEE 0 in nums
EEE 9223372036854775807 in nums
EEE false in flags
EEE @text in tags
EEE @owner not in tags
EEE "x" in labels
EEE "" in labels
RRR 10.0.0.1 in peers
EEE "10" in peers
EEE tags is empty
EEE labels is empty
EEE labels is nil
EEE tags is not nil
EEE len(tags) == 0
EEE len(labels) < 1
EEE len(tags) >= 2
EEE tags.0 == "K"
EEE tags.0 != "K"
EEE tags.1 == ""
EEE nums.0 < 1
EEE any tags as t { t == "" }
EEE all tags as t { t != "" }
EWE any tags as t { t matches "^.$" }
ERE all tags as t { t matches "^.$" }
EEE any tags as i, t { i == 1 and t == "web" }
EEE not (any tags as t { t == @text })
EEE all notes as n { n != "x" }
EEE "k" in meta
EEE "" in meta
EEE "'" not in meta
EEE "a'b" in meta
EEE @text in meta
EEE meta.k == ""
EEE meta.k != ""
EEE meta.k is empty
EEE meta.k is not empty
EEE meta.env == prod
EEE meta.env > a
EEE meta.env not in ["prod"]
EEE meta["a'b"] == x
EEE meta["$.k"] == z
EEE meta["?"] == "1"
EEE meta["0"] == zero
EEE meta is empty
EEE meta is nil
EEE len(meta) > 1
EEE any meta as k { k == "k" }
EEE any meta as k, v { k == "k" and v == "" }
EEE all meta as k, v { v != "" }
EEE counts.k == 9007199254740993
EEE counts.none == 0
EEE counts.low == "-9223372036854775808"
EEE counts.low in [1, "-9223372036854775808"]
EEE counts.low < "-9223372036854775807"
EEE counts.high >= 9223372036854775807
EEE counts.k > 5
EEE counts.gone != 5
EEE groups is empty
EEE any groups as g { g.Name == "front" }
EEE any groups as g { g.Name == "" }
EEE any groups as g { g.Count == 0 }
EEE all groups as g { g.Count >= 0 }
EEE any groups as g { g.On == false }
EEE any groups as g { g.Load > 0.5 }
EEE any groups as g { "" in g.Tags }
EEE any groups as g { g.Tags is empty }
EEE any groups as g { g.Note is nil }
EEE any groups as g { g.Note != "x" }
EEE any groups as g { any g.Tags as t { t == "a" and g.Count > 0 } }
EEE groups.0.Name == "front"
EEE any groups as g { g.Tags.0 == "" }
EEE all groups as g { g.Tags.0 != "" }
EEE all groups as g { g.Tags.0 < "b" }
EEE labels.0 == ""
EEE labels.0 != ""
EEE groups.0.Count != 3
EEE groups.1.Count == 3
EEE periodic is nil
EEE periodic is not nil
EEE periodic.Spec == ""
EEE periodic.Spec != "@daily"
EEE periodic.Spec is empty
EEE periodic.Every < 5
EEE deep is nil
EEE deep.One.Name == "front"
EEE deep.One.Name == ""
EEE deep.One.Count == 0
EEE "a" in deep.One.Tags
EEE deep.Label != "L"
EEE text == "web-1" or not (whole > 3 and (flag == true or "k" in meta))
EEE not (text == "K" or owner is nil) and load >= 0
`;

/** The filters with their kinds in front. */
export const lines = filters.split('\n').filter((line) => line !== '');
export const now = new Date('2026-11-02T00:00:00Z');

export const filterOf = (line: string): string =>
  line.slice(4).replace(/\\u([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
