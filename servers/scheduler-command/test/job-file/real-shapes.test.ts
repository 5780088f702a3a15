import { readdirSync, readFileSync } from 'node:fs';
import { ConfigError } from '@tamis/config';
import { describe, expect, it } from 'vitest';
import { readJobFile } from '@tamis/scheduler-command/job-file/read-job-file.js';
import { mistakesOf } from '../../../scheduler-model/test/jobs.js';

// Job files of the shapes that people have. What is refused is refused for what is not built, which its mistakes name.

const folder = new URL('files/', import.meta.url);
const files = readdirSync(folder).map((name) => name.replace(/\.hcl$/, ''));

/** What a file is refused for: a line each, in the order of the text. */
const refused: Readonly<Record<string, readonly RegExp[]>> = {
  template: [/^t\.hcl:\d+:\d+: .*\.template: templates are not rendered/],
  'vault-task': [/\.task "t"\.vault: nothing here talks to Vault/],
  'vault-group': [/\.group "g"\.vault: nothing here talks to Vault/],
  'vault-job': [/job "secretive-job"\.vault: nothing here talks to Vault/],
  tokens: [
    /\.vault_token: nothing here talks to Vault.*leave it out/,
    /\.consul_token: nothing here talks to Consul/,
  ],
  variables: [
    /^t\.hcl:1:1: variable: variables are of HCL 2.*write their values where they are used, and leave out all 3/,
    /^t\.hcl:22:13: a variable is of HCL 2.*write the value itself, which is 3$/,
    /^t\.hcl:26:17: a variable .*which is "registry\.example\/app:1"$/,
    /"\$\{var\.size\}": a variable .*which is 3$/,
  ],
  locals: [
    /^t\.hcl:1:1: locals: locals are of HCL 2/,
    /local\.release\}": a variable .*which is "7"$/,
    /a variable/,
  ],
  functions: [
    /:2:17: a function is of HCL 2/,
    /:7:17: a function/,
    /:8:17: a for expression/,
    /:11:18: a function/,
    /:16:28: an expression/,
  ],
  dynamic: [/job\.dynamic\.dynamic: dynamic blocks are of HCL 2.*write each block out/],
  unquoted: [
    /:2:10: text stands in quotes: write "service"$/,
    /:5:16: text stands in quotes: write "docker"$/,
  ],
  volumes: [/\.volume: volumes are not mounted/, /\.volume_mount: volumes are not mounted/],
  artifact: [/\.artifact: artifacts are not fetched/],
  'host-network': [/nodes have no host network "public"/, /nodes have no host network "private"/],
  device: [/Devices: devices are not handed out/],
  sidecar: [
    /Services\[0\]\.Connect\.SidecarService\.Proxy\.Upstreams: no sidecar is started, .* "db", "cache"/,
  ],
  'csi-plugin': [/\.csi_plugin: tasks cannot serve as storage plugins/],
  directive: [/"%\{ for a in .*a directive belongs to a template/, /"%\{ endfor \}"/],
  'raw-bridge': [/tasks of raw_exec share the network of their node, no other is set up/],
  'stop-after': [/StopAfterClientDisconnect: /, /PreventRescheduleOnLost: /],
  'secret-and-schedule': [/\.secret: secrets are not fetched/],
  'workload-token': [/no identity tokens are issued/],
  'everything-missing': [
    /^t\.hcl:1:1: variable: variables are of HCL 2/,
    /\.vault: nothing here talks to Vault/,
    /\.volume: volumes are not mounted/,
    /\.artifact: artifacts are not fetched/,
    /\$\{var\.tag\}.*which is "1"$/,
    /\.template: templates are not rendered/,
    /:14:23: a function/,
  ],
  ternary: [/variables are of HCL 2/, /a conditional .*write the value itself$/],
  ingress: [/gateways of Connect are not started here, and the group has no tasks of its own/],
  terminating: [/gateways of Connect are not started here/],
};

function refusalsOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`${name}.hcl`, folder), 'utf8');
  try {
    return mistakesOf(readJobFile(text, 't.hcl'));
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('a job file', () => {
  it.each(files.filter((name) => !Object.hasOwn(refused, name)))('%s runs', (name) =>
    expect(refusalsOf(name)).toEqual([]),
  );

  it.each(Object.entries(refused))('%s is refused for what is not built, all at once', (name, reasons) => {
    const found = refusalsOf(name);
    expect(found).toHaveLength(reasons.length);
    for (const [at, reason] of reasons.entries()) expect(found[at]).toMatch(reason);
  });
});
