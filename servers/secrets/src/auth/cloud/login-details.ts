import { cutText, redactPath } from '../../audit/redacted-path.js';
import { own, type Refusal } from './claims.js';
import type { LoginRequest, Machine } from './login-request.js';

type Details = Readonly<Record<string, string>>;

/**
 * Returns the log fields of a login: role, IDs in the token, and machine. They are logged even if unverified, so that operators
 * can find failed logins.
 */
export function describeLogin({ role, token, subscription, group, machine }: LoginRequest): Details {
  return describeOf({
    role,
    oid: own(token.claims, 'oid'),
    appid: own(token.claims, 'appid'),
    subscription_id: subscription,
    resource_group_name: group,
    ...machineFields(machine),
  });
}

/** Returns both values of a failed comparison, if there was one. */
export function describeRefusal({ expected, found }: Refusal): Details {
  return describeOf({ expected, found });
}

/** Returns the field of a login that names its machine. */
export function machineFields(machine: Machine): Details {
  switch (machine.kind) {
    case 'scale-set':
      return { vmss_name: machine.name };
    case 'virtual-machine':
      return { vm_name: machine.name };
    case 'resource':
      return { resource_id: machine.text };
    case 'none':
      return {};
  }
}

/** Returns strings and string lists, truncated and without anything that looks like a token. Omits other values. */
function describeOf(fields: Readonly<Record<string, unknown>>): Details {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const items = Array.isArray(value) ? (value as readonly unknown[]).slice(0, maxItems) : [value];
      const text = items.filter((item) => typeof item === 'string').join(', ');
      return text === '' ? [] : [[name, describe(text)]];
    }),
  );
}

/** Maximum number of list items that are logged. */
const maxItems = 10;

function describe(text: string): string {
  const redacted = redactPath(text, { secrets: [], isKnown: true, hide: () => '(hidden)' });
  const cut = cutText(redacted);
  return cut === null ? redacted : `${cut}...`;
}
