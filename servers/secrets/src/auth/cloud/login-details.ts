import { cutText, redactPath } from '../../audit/redacted-path.js';
import { own, type Refusal } from './claims.js';
import type { LoginRequest, Machine } from './login-request.js';

type Details = Readonly<Record<string, string>>;

/**
 * The identity of a caller in the log: role, ids of the token, machine. As they were sent, proven or not: an operator who
 * investigates a failed login has nothing else to find it by.
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

/** What was compared, where one thing was. */
export function describeRefusal({ expected, found }: Refusal): Details {
  return describeOf({ expected, found });
}

/** The machine of a login, by the field that names it. */
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

/** Texts as a log may hold them: cut, and without what looks like a token. What is neither text nor a list of texts is left out. */
function describeOf(fields: Readonly<Record<string, unknown>>): Details {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const items = Array.isArray(value) ? (value as readonly unknown[]).slice(0, maxItems) : [value];
      const text = items.filter((item) => typeof item === 'string').join(', ');
      return text === '' ? [] : [[name, describe(text)]];
    }),
  );
}

/** Items of a list that are shown. */
const maxItems = 10;

function describe(text: string): string {
  const redacted = redactPath(text, { secrets: [], isKnown: true, hide: () => '(hidden)' });
  const cut = cutText(redacted);
  return cut === null ? redacted : `${cut}...`;
}
