import {
  block,
  choice,
  ConfigError,
  converted,
  decodeConfig,
  labelled,
  list,
  parseConfig,
  type Fields,
} from '@tamis/config';
import { badRequest, QuotingError } from '../base/errors.js';
import { capabilities, type Capability, type PolicyRule } from './policy.js';

/** Capabilities by the short words of old policies. */
const shorthand: Readonly<Record<'deny' | 'read' | 'write' | 'sudo', readonly Capability[]>> = {
  deny: ['deny'],
  read: ['read', 'list'],
  write: ['create', 'read', 'update', 'delete', 'list'],
  sudo: ['create', 'read', 'update', 'delete', 'list', 'sudo'],
};

const ruleFields = {
  capabilities: list(choice(capabilities)),
  policy: choice(['deny', 'read', 'write', 'sudo']),
} satisfies Fields;

const rule = converted(block(ruleFields), (values, refuse): readonly Capability[] => {
  const { capabilities: listed, policy } = values;
  if (listed === undefined && policy === undefined) return refuse('lacks its capabilities');
  return [...(listed ?? []), ...(policy === undefined ? [] : shorthand[policy])];
});

/** Message for logs, because the messages about mistakes in a policy quote its text. */
export const notAPolicy = 'not a valid policy';

/** Maximum length of a policy, in UTF-16 units. Prevents one policy from slowing every request of its holders. */
export const maxPolicyLength = 65_536;

/**
 * Reads the rules of a policy: `path "auth/cloud/role/*" { capabilities = ["read", "list"] }`, in HCL or JSON.
 * Unknown settings of a rule are refused: they may restrict it, and ignoring them would grant more.
 *
 * @throws SecretsError `bad-request` with every mistake and its place
 */
export function parsePolicy(name: string, text: string): readonly PolicyRule[] {
  if (text.length > maxPolicyLength) throw badRequest(`a policy has at most ${maxPolicyLength} characters`);
  try {
    const root = parseConfig(text, { name });
    const { path = [] } = decodeConfig(root, { path: labelled(rule, { repeat: true }) });
    return path.map(({ label, value }) => ({ pattern: patternOf(label), capabilities: value }));
  } catch (error) {
    if (error instanceof ConfigError) throw new QuotingError('bad-request', error.message, notAPolicy);
    throw error;
  }
}

/** Returns the pattern of a path below `/v1/`. A leading slash is removed. */
function patternOf(label: string): string {
  const pattern = label.replace(/^\//, '');
  if (!pattern.slice(0, -1).includes('*')) return pattern;
  throw new QuotingError(
    'bad-request',
    `path ${JSON.stringify(label)}: * is valid only at the end`,
    notAPolicy,
  );
}
