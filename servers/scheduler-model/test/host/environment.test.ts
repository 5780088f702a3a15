import { describe, expect, it } from 'vitest';
import { redactEnvironment } from '@tamis/scheduler-model/host/environment.js';

describe('the environment', () => {
  it.each([
    'SCHEDULER_TOKEN',
    'my_token_file',
    'ClientSecret',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_METADATA_URL',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'PRODUCT_LICENSE',
    'PRODUCT_LICENSE_PATH',
    'PGPASSWORD',
    'PRIVATE_KEY',
    'STRIPE_API_KEY',
  ])('hides %s', (name) => {
    expect(redactEnvironment({ [name]: 'x1' })).toEqual({ [name]: '<redacted>' });
  });

  it('hides addresses that hold a password', () => {
    const found = redactEnvironment({ http_proxy: 'http://me:pw@proxy:3128', DB: 'postgres://me:pw@db/x' });
    expect(found).toEqual({ http_proxy: '<redacted>', DB: '<redacted>' });
  });

  it.each([
    ['PATH', '/usr/bin:/bin'],
    ['LICENSE_NOTES', 'x'],
    ['HOME', '/root'],
    ['EMPTY', ''],
    ['URL', 'http://host:8080/a@b'],
  ])('shows %s', (name, value) => {
    expect(redactEnvironment({ [name]: value, UNSET: undefined })).toEqual({ [name]: value });
  });
});
