/**
 * Commands of the original scheduler that are not supported, and alternatives. Experienced users get more than "no such command".
 */
const instead: readonly (readonly [command: string, instead: string])[] = [
  ['system gc', 'the API has no garbage collection on demand: what is over is forgotten by itself'],
  ['system reconcile', 'summaries of jobs are never out of step here'],
  ['job init', 'examples/jobs has jobs to begin with'],
  ['job allocs', `try scheduler alloc list --filter 'JobID == "JOB"'`],
  ['job deployments', `try scheduler deployment list --filter 'JobID == "JOB"'`],
  ['job promote', 'try scheduler deployment promote DEPLOYMENT'],
  ['job eval', 'try scheduler job run FILE: an unchanged job is looked at again'],
  ['job tag', 'versions have numbers only'],
  ['job action', 'actions are kept, and cannot be run'],
  ['job scaling-events', 'GET /v1/job/JOB/scale has them'],
  ['alloc exec', 'no program can be started next to a task'],
  ['alloc checks', 'checks are not run: health follows the states of tasks'],
  ['alloc pause', 'tasks have no schedule'],
  ['deployment unblock', 'rollouts do not wait for other regions'],
  ['eval delete', 'evaluations are forgotten by themselves'],
  ['node config', 'scheduler agent --servers sets the servers of a client'],
  ['node meta', 'client.meta in the configuration of the client'],
  ['node pool', 'a pool is there as soon as a node is in it: client.node_pool'],
  ['server join', 'PUT /v1/agent/join?address=HOST:PORT'],
  ['server force-leave', 'PUT /v1/agent/force-leave?node=NAME'],
  ['acl role', 'tokens have their policies themselves'],
  ['acl auth-method', 'tokens are the only way in'],
  ['acl binding-rule', 'tokens are the only way in'],
  ['acl policy info', 'try scheduler acl policy read NAME'],
  ['acl token info', 'try scheduler acl token read ACCESSOR'],
  ['acl token update', 'PUT /v1/acl/token/ACCESSOR'],
  ['namespace inspect', 'try scheduler namespace status --json NAME'],
  ['var', 'there are no variables in the cluster'],
  ['volume', 'there are no volumes'],
  ['plugin', 'there are no storage plugins'],
  ['quota', 'there are no quotas'],
  ['sentinel', 'there are no Sentinel policies'],
  ['recommendation', 'nothing here recommends resources'],
  ['scaling', 'try scheduler job scale JOB COUNT; nothing here scales by itself'],
  ['service', 'services are kept, and not registered anywhere'],
  ['license', 'there is no licence to manage'],
  ['login', 'tokens are the only way in: SCHEDULER_TOKEN_FILE'],
  ['setup', 'there is nothing to set up for other products'],
  ['tls', 'tls.cert_file and tls.key_file take certificates of any authority'],
  ['config', 'try scheduler check FILE'],
  ['fmt', 'files are taken as they are'],
  ['ui', 'the console is at /ui/ of the agent'],
  ['init', 'examples/jobs has jobs to begin with'],
  ...['run', 'plan', 'validate', 'inspect', 'stop', 'revert', 'scale', 'restart'].map(
    (word) => [word, `try scheduler job ${word}`] as const,
  ),
  ['logs', 'try scheduler alloc logs ALLOC'],
  ['fs', 'try scheduler alloc fs ALLOC PATH'],
  ['exec', 'no program can be started next to a task'],
  ['drain', 'try scheduler node drain NODE'],
];

/** Returns the alternative to a command of the original; null if there is no such command. */
export function insteadOf(words: readonly string[]): string | null {
  const written = words.slice(0, 3).join(' ');
  const found = instead.find(([command]) => written === command || written.startsWith(`${command} `));
  return found === undefined ? null : `There is no command "${found[0]}": ${found[1]}`;
}
