import { int, type Fields } from '@tamis/config';
import { defineAuthMethod } from '../../../src/auth/method-type.js';
import { isRoleName } from '../../../src/auth/role-name.js';
import { mergeTokens, roleTokenData, tokenFields, type RoleTokens } from '../../../src/auth/role-tokens.js';
import { SecretsError } from '../../../src/base/errors.js';
import { readFields, text } from '../../../src/fields/fields.js';
import { createJsonCollection } from '../../../src/storage/json-collection.js';

/** A role that anyone with its phrase may log in with. */
interface PhraseRole extends RoleTokens {
  readonly phrase: string;
}

const fields = { shortest: int({ min: 1, max: 100 }) } satisfies Fields;

/** A method that is all that a method has to be: one folder, and one entry in a list of methods. */
export const phraseMethod = defineAuthMethod({
  name: 'phrase',
  description: 'logs in who knows a phrase',
  variables: ['PHRASE_OF_ALL'],
  fields,
  create({ shortest = 4 }, { storage, environment, maxLeaseSeconds }) {
    const roles = createJsonCollection<PhraseRole>(storage, 'role/');
    const find = async (name: string): Promise<PhraseRole> => {
      const role = await roles.get(name);
      if (role === null) throw new SecretsError('not-found', '');
      return role;
    };
    return {
      rows: [
        {
          path: 'login/:name',
          isName: isRoleName,
          operations: {
            write: {
              async logIn({ name, body }) {
                const role = await roles.get(name);
                if (role === null || ![role.phrase, environment.PHRASE_OF_ALL].includes(String(body.phrase)))
                  throw new SecretsError('permission-denied', 'permission denied', 'another phrase');
                const identity = { alias: name, role: name, metadata: {}, token: role.token };
                return { identity, warnings: [] };
              },
            },
          },
        },
        {
          path: 'role/?',
          operations: {
            list: { capability: 'list', handle: async () => ({ kind: 'keys', keys: await roles.names() }) },
          },
        },
        {
          path: 'role/:name',
          isName: isRoleName,
          operations: {
            read: {
              capability: 'read',
              handle: async ({ name }) => ({ kind: 'data', data: roleTokenData(await find(name)) }),
            },
            write: {
              capability: async (name) => ((await roles.get(name)) === null ? 'create' : 'update'),
              async handle({ name, body }) {
                const { values } = readFields({ ...tokenFields, phrase: text }, body);
                const stored = await roles.get(name);
                const phrase = values.phrase ?? stored?.phrase ?? '';
                if (phrase.length < shortest)
                  throw new SecretsError('bad-request', `field "phrase" must have ${shortest} characters`);
                await roles.put(name, { ...mergeTokens(stored, values, maxLeaseSeconds), phrase });
              },
            },
          },
        },
      ],
      renew: async (role) => (await roles.get(role))?.token ?? null,
      close: async () => undefined,
    };
  },
});
