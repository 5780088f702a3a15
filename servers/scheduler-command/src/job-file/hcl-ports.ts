import { block, bool, int, labelled, text } from '@tamis/config';
import type { JobDefinition } from './job-definition.js';

/** Fields of a port: `port "http" { static = 8080 }`, or a dynamic one without `static`. */
export const portFields = {
  port: labelled(
    block({
      static: int({ min: 0, max: 65_535 }),
      to: int(),
      host_network: text(),
      ignore_collision: bool(),
    }),
  ),
} as const;

interface Port {
  readonly label: string;
  readonly value: {
    readonly static: number | undefined;
    readonly to: number | undefined;
    readonly host_network: string | undefined;
    readonly ignore_collision: boolean | undefined;
  };
}

/** Returns the ports of a network as in the API: fixed and dynamic ones separately. */
export function sortPorts({ port: ports }: { readonly port?: readonly Port[] | undefined }): JobDefinition {
  const all = (ports ?? []).map(({ label, value }) => ({
    isFixed: (value.static ?? 0) > 0,
    port: withoutUndefined({
      ...{ Label: label, Value: value.static, To: value.to },
      ...{ HostNetwork: value.host_network, IgnoreCollision: value.ignore_collision },
    }),
  }));
  const fixed = all.filter(({ isFixed }) => isFixed).map(({ port }) => port);
  const free = all.filter(({ isFixed }) => !isFixed).map(({ port }) => port);
  return {
    ...(fixed.length === 0 ? {} : { ReservedPorts: fixed }),
    ...(free.length === 0 ? {} : { DynamicPorts: free }),
  };
}

function withoutUndefined(fields: JobDefinition): JobDefinition {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
