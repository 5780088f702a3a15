import { describe, expect, it } from 'vitest';
import { explainFindings } from '@tamis/scheduler-command/job-file/explain-findings.js';
import { createJobPlaces } from '@tamis/scheduler-command/job-file/job-places.js';
import { readJobFile } from '@tamis/scheduler-command/job-file/read-job-file.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { listErrors, listWarnings } from '@tamis/scheduler-model/job-rules/findings.js';
import { complete, now } from '../../../scheduler-model/test/jobs.js';

const hcl = `job "web" {
  priority = 200
  affinity {
    attribute = "\${attr.x}"
    value     = "y"
    weight    = 500
  }
  group "one" {
    count = -1
    network {
      mode = "brige"
      port "a" {}
    }
    restart {
      attempts = 0
      mode     = "delay"
    }
    task "t" {
      driver = "raw_exec"
      config {
        comand = "x"
      }
      kill_signal = "SIGNOPE"
    }
    task "u" {
      driver = "docker"
      resources {
        device "gpu" {}
      }
    }
  }
  group "two" {
    service {
      name = "s"
      check { type = "http" }
    }
    task "t" {
      driver = "docker"
      identity { env = true }
    }
  }
}
`;

const found = (text: string) => {
  const job = complete(readJobFile(text, 'a.hcl'));
  const { errors, warnings } = examineJob(job, now);
  const places = createJobPlaces(text, 'a.hcl');
  return {
    errors: explainFindings(listErrors(errors), places).split('\n'),
    warnings: explainFindings(listWarnings(warnings), places).split('\n'),
  };
};

describe('what a server finds in a job', () => {
  it('has the place in its file', () => {
    const { errors, warnings } = found(hcl);
    const lines = errors.map((line) => /^a\.hcl:(\d+):\d+: (.*)$/.exec(line)?.slice(1) ?? [line]);
    expect(lines).toEqual([
      ['6', expect.stringContaining('Affinity 1: Affinity weight must be within')],
      ['9', "Task group one: Task group count can't be negative"],
      ['14', expect.stringContaining('Task group one: Restart policy "delay"')],
      ['11', expect.stringContaining('Task group one: Task group network: Networks[0].Mode')],
      ['21', expect.stringContaining('Task t: Config.comand: the driver raw_exec has no such key')],
      ['23', expect.stringContaining('Task group one: Task t: Unknown KillSignal "SIGNOPE"')],
      ['2', 'job priority must be between [1, 100]'],
      ['11', expect.stringContaining('Networks[0].Mode: tasks of raw_exec')],
      ['28', expect.stringContaining('Resources.Devices')],
      ['39', expect.stringContaining('Identities: no identity tokens')],
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/^a\.hcl:33:\d+: Job\.TaskGroups\[1\]\.Services/),
      expect.stringMatching(/^a\.hcl:20:\d+: Job\.TaskGroups\[0\]\.Tasks\[0\]\.Config\.command: missing/),
    ]);
  });

  it('has the place in JSON too', () => {
    const json =
      '{\n"Job": {\n"id": "a",\n"TaskGroups": [{"Name": "g",\n"Tasks": [{"Name": "t",\n"Driver": "raw_exec",\n"Config": {}}]}]}}';
    const places = createJobPlaces(json, 'a.json');
    expect(explainFindings('Job.TaskGroups[0].Tasks[0].Driver: x', places)).toMatch(/^a\.json:6:/);
    expect(places.ofPath('TaskGroups[0].Tasks[0].Config')).toMatchObject({ line: 7 });
    expect(places.ofPath('TaskGroups[9]')).toMatchObject({ line: 2 });
  });

  it('reports blocks that are not built together with everything else', () => {
    const text =
      'job "a" {\n priority = 200\n group "g" {\n count = -1\n task "t" {\n driver = "docker"\n template {}\n }\n }\n}';
    let message = '';
    try {
      readJobFile(text, 'a.hcl');
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message.split('\n')).toEqual([
      'a.hcl:2:2: job priority must be between [1, 100]',
      expect.stringMatching(/^a\.hcl:4:2: Task group g: Task group count can't be negative/),
      expect.stringMatching(/^a\.hcl:7:2: .*template: templates are not rendered/),
    ]);
  });

  it('finds tasks in the job', () => {
    const places = createJobPlaces('job "a" {\n task "t" {\n driver = "x"\n }\n group "g" {}\n}', 'a.hcl');
    expect(places.ofPath('TaskGroups[0].Tasks[0].Driver')).toMatchObject({ line: 3 });
    expect(places.ofPath('TaskGroups[1]')).toMatchObject({ line: 5 });
  });

  it.each([
    ['Invalid cron spec "61 * * * *": "61" is none of the minutes, 0 to 59', 3],
    ['Must specify a spec', 2],
    ['Unknown payload requirement: "some"', 7],
    ['Missing job task groups', 1],
    ['job "j" is in nonexistent namespace "n"', 9],
    ['job "j" is in nonexistent node pool "p"', 10],
  ])('finds the block that %j is about', (finding, line) => {
    const text =
      'job "j" {\n  periodic {\n    cron = "61 * * * *"\n  }\n  parameterized {\n\n    payload = "some"\n  }\n  namespace = "n"\n  node_pool = "p"\n}\n';
    const reported = `1 error occurred:\n\t* ${finding}\n\n`;
    expect(explainFindings(reported, createJobPlaces(text, 'j.hcl'))).toMatch(`j.hcl:${line}:`);
  });

  it.each([
    'Enforcing job modify index 0: job already exists',
    'Permission denied',
    '',
    '3 errors occurred:',
    'No path to region',
  ])('leaves %j as it is', (text) => expect(explainFindings(text, createJobPlaces(hcl, 'a.hcl'))).toBe(text));

  it('reports the position of the unreachable region', () => {
    const inHcl = createJobPlaces('job "web" {\n  type = "batch"\n  region = "eu"\n}\n', 'a.hcl');
    expect(explainFindings('No path to region', inHcl)).toBe('a.hcl:3:3: region: No path to region');
    const inJson = createJobPlaces('{"Job": {"ID": "web",\n"Region": "eu"}}', 'a.json');
    expect(explainFindings('No path to region', inJson)).toMatch(
      /^a\.json:2:\d+: region: No path to region$/,
    );
  });
});
