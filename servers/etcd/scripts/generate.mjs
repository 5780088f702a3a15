// src/protocol/*.generated.ts from proto/etcd: needs `protoc` (Debian's protobuf-compiler). See proto/README.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(workspace, 'src/protocol');
const protos = ['etcd/etcdserver/etcdserverpb/rpc.proto', 'etcd/mvcc/mvccpb/kv.proto'];

/** The calls that the kit makes; messages that none of them can reach are left out. */
const calls = new Set([
  ...['Range', 'Txn', 'Compact', 'Watch', 'LeaseGrant', 'LeaseRevoke', 'LeaseKeepAlive'],
  ...['Authenticate', 'MemberList', 'Status', 'Alarm', 'Snapshot'],
]);

const options = [
  'outputServices=generic-definitions',
  'outputJsonMethods=false',
  'enumsAsLiterals=true',
  'forceLong=bigint',
  'env=node',
  'esModuleInterop=true',
  'importSuffix=.js',
  'useExactTypes=false',
  'useOptionals=none',
  'exportCommonSymbols=false',
];

/**
 * Without the annotations of gogoproto and of the JSON gateway: they are not about the bytes on the wire.
 *
 * @param {string} text
 */
function withoutAnnotations(text) {
  return text
    .replace(/^import "(?:gogoproto|google\/api|etcd\/auth)\/[^"]*";$/gm, '')
    .replace(/^ *option \(gogoproto\.[^;]*;$/gm, '')
    .replace(/option \(google\.api\.http\) = \{(?:[^{}]|\{[^{}]*\})*\};?/g, '')
    .replace(/ \[\(gogoproto\.[^\]]*\]/g, '');
}

/**
 * Only the calls of the list and the messages that they reach.
 *
 * @param {string} text
 */
function onlyWhatIsCalled(text) {
  const services = text.replace(/(?:^ *\/\/[^\n]*\n)*^ *rpc (\w+)\([^{]*\{[^}]*\}\n?/gm, (rpc, name) =>
    calls.has(name) ? rpc : '',
  );
  const definition = /(?:^\/\/[^\n]*\n)*^(?:message|enum) (\w+) ?\{\n?(?:^ [^\n]*\n|^\n|^\t[^\n]*\n)*\}\n/gm;
  const definitions = new Map([...services.matchAll(definition)].map(([whole, name]) => [name, whole]));
  const reached = new Set();
  /** @param {string} body */
  const visit = (body) => {
    for (const [word] of body.replace(/\/\/.*$/gm, '').matchAll(/\w+/g)) {
      if (reached.has(word) || !definitions.has(word)) continue;
      reached.add(word);
      visit(definitions.get(word));
    }
  };
  visit(services.replace(definition, ''));
  return services
    .replace(definition, (whole, name) => (reached.has(name) ? whole : ''))
    .replace(/^service \w+ \{\s*\}\n/gm, '');
}

/**
 * What ts-proto writes, in the habits of this repository: names of files, and no switch for a linter.
 *
 * @param {string} text
 */
function inHouse(text) {
  return text
    .replace(/^\/\* eslint-disable \*\/\n/m, '')
    .replace(/from "\.[^"]*\/([a-z]+)\.js"/g, 'from "./$1.generated.js"');
}

/** @param {string} folder */
function compile(folder) {
  const plugin = join(
    dirname(createRequire(import.meta.url).resolve('ts-proto/package.json')),
    'protoc-gen-ts_proto',
  );
  const run = spawnSync(
    'protoc',
    [
      `--plugin=protoc-gen-ts_proto=${plugin}`,
      `--proto_path=${folder}`,
      `--ts_proto_out=${folder}`,
      `--ts_proto_opt=${options.join(',')}`,
      ...protos,
    ],
    { stdio: 'inherit' },
  );
  if (run.error !== undefined)
    throw new Error('protoc cannot be run: it is in the package protobuf-compiler', { cause: run.error });
  if (run.status !== 0) throw new Error(`protoc ended with ${run.status}`);
}

const folder = mkdtempSync(join(tmpdir(), 'etcd-protocol-'));
try {
  for (const proto of protos) {
    const text = withoutAnnotations(readFileSync(join(workspace, 'proto', proto), 'utf8'));
    mkdirSync(join(folder, dirname(proto)), { recursive: true });
    writeFileSync(join(folder, proto), proto.endsWith('rpc.proto') ? onlyWhatIsCalled(text) : text);
  }
  compile(folder);
  mkdirSync(target, { recursive: true });
  for (const proto of protos) {
    const made = readFileSync(join(folder, proto.replace(/\.proto$/, '.ts')), 'utf8');
    writeFileSync(join(target, `${basename(proto, '.proto')}.generated.ts`), inHouse(made));
  }
} finally {
  rmSync(folder, { recursive: true });
}
