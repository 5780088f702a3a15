import { ConfigError } from '@tamis/config';
import { describe, expect, it } from 'vitest';
import { readJobFile } from '@tamis/scheduler-command/job-file/read-job-file.js';
import { mistakesOf } from '../../../scheduler-model/test/jobs.js';

// Realistic shapes of blocks, each in a job of its own: what a task, a group or a job may hold in addition to the minimum.

type Place = 'job' | 'group' | 'task';

function fileOf(place: Place, text: string, type = 'service'): string {
  const at = (where: Place): string => (where === place ? text : '');
  const task = `task "t" {\n driver = "docker"\n config { image = "registry.example/app:1" }\n${at('task')}\n}`;
  return `job "j" {\n type = "${type}"\n${at('job')}\ngroup "g" {\n${at('group')}\n${task}\n}\n}`;
}

function refusalsOf(text: string): readonly string[] {
  try {
    return mistakesOf(readJobFile(text, 't.hcl'));
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

/** What runs. */
const running: readonly [place: Place, text: string, type?: string][] = [
  ['job', 'datacenters = ["dc1", "dc2"]'],
  ['job', 'datacenters = ["*"]\nnode_pool = "default"'],
  ['job', 'priority = 80\nregion = "global"\nnamespace = "default"'],
  ['job', 'meta { owner = "team" rank = 3 }'],
  ['job', 'meta = { owner = "team" }'],
  ['job', 'constraint {\n attribute = "${attr.kernel.name}"\n value = "linux"\n}'],
  ['job', 'constraint { distinct_hosts = true }'],
  ['job', 'constraint {\n operator = "distinct_property"\n attribute = "${meta.rack}"\n value = "2"\n}'],
  ['job', 'constraint {\n attribute = "${attr.os.version}"\n operator = "version"\n value = ">= 12"\n}'],
  ['job', 'affinity {\n attribute = "${node.class}"\n value = "large"\n}'],
  ['job', 'spread { attribute = "${node.datacenter}" }'],
  [
    'job',
    'spread {\n attribute = "${node.datacenter}"\n weight = 80\n target "dc1" { percent = 60 }\n target "dc2" { percent = 40 }\n}',
  ],
  [
    'job',
    'update {\n max_parallel = 2\n canary = 1\n auto_revert = true\n min_healthy_time = "5s"\n healthy_deadline = "2m"\n}',
  ],
  ['job', 'update {\n max_parallel = 1\n stagger = "30s"\n}'],
  ['job', 'migrate {\n max_parallel = 1\n health_check = "task_states"\n}'],
  [
    'job',
    'periodic {\n cron = "*/15 * * * *"\n prohibit_overlap = true\n time_zone = "Europe/Rome"\n}',
    'batch',
  ],
  ['job', 'periodic { crons = ["0 1 * * *", "@weekly"] }', 'batch'],
  [
    'job',
    'parameterized {\n payload = "optional"\n meta_required = ["a"]\n meta_optional = ["b"]\n}',
    'batch',
  ],
  ['job', 'periodic { cron = "@daily" }', 'sysbatch'],
  ['group', 'count = 3'],
  ['group', 'count = "3"'],
  ['group', 'restart {\n attempts = 2\n interval = "5m"\n delay = "10s"\n mode = "delay"\n}'],
  [
    'group',
    'reschedule {\n attempts = 0\n unlimited = true\n delay = "30s"\n delay_function = "exponential"\n max_delay = "1h"\n}',
  ],
  ['group', 'reschedule {\n attempts = 3\n interval = "1h"\n unlimited = false\n}', 'batch'],
  ['group', 'network {\n port "http" { to = 8080 }\n port "admin" { static = 9000 }\n}'],
  ['group', 'network {\n mode = "bridge"\n port "http" {}\n}'],
  ['group', 'network {\n mode = "host"\n dns { servers = ["192.0.2.1"] }\n}'],
  ['group', 'ephemeral_disk {\n size = 300\n sticky = true\n migrate = true\n}'],
  ['group', 'service {\n name = "web"\n port = "80"\n tags = ["a", "b"]\n provider = "nomad"\n}'],
  [
    'group',
    'network { port "http" {} }\nservice {\n name = "web"\n port = "http"\n check {\n type = "http"\n path = "/"\n interval = "10s"\n timeout = "2s"\n }\n}',
  ],
  [
    'group',
    'network { port "http" {} }\nservice {\n port = "http"\n check {\n type = "tcp"\n interval = "10s"\n timeout = "2s"\n check_restart { limit = 3 grace = "60s" }\n }\n}',
  ],
  ['group', 'scaling {\n min = 1\n max = 5\n enabled = true\n policy { cooldown = "1m" }\n}'],
  ['group', 'max_client_disconnect = "1h"'],
  ['group', 'shutdown_delay = "5s"'],
  ['group', 'meta { a = "b" }'],
  ['group', 'consul {}'],
  ['task', 'env { A = "b" PORT = 8080 DEBUG = true }'],
  ['task', 'env = { "A.B" = "c" }'],
  ['task', 'resources {\n cpu = 500\n memory = 256\n memory_max = 512\n}'],
  ['task', 'resources { cores = 2 }'],
  ['task', 'kill_timeout = "20s"\nkill_signal = "SIGTERM"\nshutdown_delay = "3s"'],
  ['task', 'logs {\n max_files = 3\n max_file_size = 15\n}'],
  ['task', 'user = "1000"\nleader = true'],
  ['task', 'meta { a = 1 }'],
  [
    'group',
    'task "side" {\n driver = "docker"\n config { image = "registry.example/side:1" }\nlifecycle {\n hook = "poststart"\n sidecar = true\n}\n}',
  ],
  [
    'group',
    'task "side" {\n driver = "docker"\n config { image = "registry.example/side:1" }\nlifecycle { hook = "poststop" }\n}',
  ],
  [
    'task',
    'constraint {\n attribute = "${attr.cpu.arch}"\n operator = "set_contains_any"\n value = "amd64,arm64"\n}',
  ],
  ['task', 'service {\n name = "x"\n meta { a = "b" }\n}'],
  ['task', 'dispatch_payload { file = "in.json" }'],
  ['task', 'restart {\n attempts = 1\n interval = "10m"\n delay = "5s"\n mode = "fail"\n}'],
];

/** What is refused, and what for. */
const refused: readonly (readonly [place: Place, text: string, reason: RegExp])[] = [
  ['group', 'volume "d" {\n type = "host"\n source = "d"\n}', /volumes are not mounted/],
  ['task', 'template {\n data = "x"\n destination = "local/x"\n}', /templates are not rendered/],
  ['task', 'artifact { source = "https://example.com/a.tgz" }', /artifacts are not fetched/],
  ['task', 'vault { policies = ["p"] }', /nothing here talks to Vault/],
  ['task', 'resources {\n device "gpu" { count = 1 }\n}', /devices are not handed out/],
  ['task', 'identity {\n env = true\n}', /no identity tokens are issued/],
  ['job', 'meta { a = var.name }', /variable/],
];

describe('more shapes of job files', () => {
  it.each<[place: Place, text: string, type?: string]>([...running])('in a %s: %s', (place, text, type) => {
    expect(refusalsOf(fileOf(place, text, type))).toEqual([]);
  });

  it.each(refused)('refused in a %s: %s', (place, text, reason) => {
    const found = refusalsOf(fileOf(place, text));
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line).toMatch(reason);
  });
});
