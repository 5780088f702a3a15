import type { TlsConfig } from '../agent/settings/agent-config.js';

/** The message printed once the agent listens: its address, three ready-to-use commands, and the console. */
export function banner(address: string, index: number, tls: TlsConfig | null): string {
  const trust = trustOption(tls);
  return `Listening on ${address}, try:

  # a filter on a map key with a dot in it
  curl -s ${trust}--get '${address}/v1/nodes?per_page=3&pretty' --data-urlencode 'filter=Attributes["cpu.arch"] == "arm64" and Status == "ready"'

  # a page; X-Scheduler-Nexttoken begins the next one: &next_token=...
  curl -si ${trust}'${address}/v1/jobs?namespace=*&per_page=2'

  # a blocking query: returns when a job changes, or after five seconds
  curl -si ${trust}'${address}/v1/jobs?per_page=1&wait=5s&index=${index}'

  # all of it in a browser
  ${address}/ui/
`;
}

/** The message printed once a client listens. */
export function clientBanner(address: string, tls: TlsConfig | null): string {
  const trust = trustOption(tls);
  return `Listening on ${address} as a client of servers elsewhere, try:

  # whom it knows
  curl -s ${trust}${address}/v1/agent/servers

  # what it is and how it is doing
  curl -s ${trust}'${address}/v1/agent/self?pretty'
`;
}

/** The curl option for the certificate authority. */
function trustOption(tls: TlsConfig | null): string {
  return tls?.http === true ? `--cacert ${tls.caFile ?? tls.certFile} ` : '';
}
