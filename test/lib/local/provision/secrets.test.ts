import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type * as z from 'zod';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import {
  generateSecret,
  generationSchema,
  readGeneratedSecrets,
  readSecrets,
} from '../../../../lib/local/provision/secrets.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const generate = (given: z.input<typeof generationSchema>): string =>
  generateSecret(generationSchema.parse(given));

const MADE: readonly (readonly [given: z.input<typeof generationSchema>, expected: RegExp])[] = [
  [{}, /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z0-9])[!-~]{32}$/],
  [{ PasswordLength: 4, ExcludePunctuation: true, IncludeSpace: true }, /^(?=.* )[A-Za-z0-9 ]{4}$/],
  [{ ExcludeLowercase: true, ExcludeUppercase: true, ExcludePunctuation: true }, /^\d{32}$/],
  [{ ExcludeNumbers: true, ExcludeCharacters: 'abcXYZ', ExcludePunctuation: true }, /^[d-zA-W]{32}$/],
  [{ PasswordLength: 1, RequireEachIncludedType: false, ExcludePunctuation: true }, /^[A-Za-z0-9]$/],
  [
    { SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password', ExcludePunctuation: true },
    /^\{"user":"u","password":"[A-Za-z0-9]{32}"\}$/,
  ],
];
for (const [given, expected] of MADE)
  test(`generates a secret for ${JSON.stringify(given)}`, () => {
    for (let tries = 0; tries < 50; tries += 1) assert.match(generate(given), expected);
    if ((given.PasswordLength ?? 32) > 4) assert.notEqual(generate(given), generate(given));
  });

const REFUSED: readonly z.input<typeof generationSchema>[] = [
  { PasswordLength: 3 },
  { ExcludeLowercase: true, ExcludeUppercase: true, ExcludeNumbers: true, ExcludePunctuation: true },
  { GenerateStringKey: 'password' },
];
for (const given of REFUSED)
  test(`generates no secret for ${JSON.stringify(given)}`, () => {
    assert.throws(() => generate(given), { name: 'LocalCloudError' });
  });

test('unreadable stored secrets are an error and are not replaced', async () => {
  const folder = await temporaryFolder('kept-secrets');
  const file = join(folder, 'secrets.json');
  assert.deepEqual(await readGeneratedSecrets(file), {});
  await writeFile(file, '{"arn');
  await assert.rejects(readGeneratedSecrets(file), {
    message: /secrets\.json cannot be read: start with --reset\./,
  });
});

test('a secret that leaves the template is gone at once', async () => {
  const file = join(await temporaryFolder('removed-secrets'), 'secrets.json');
  const start = (...ids: string[]) => {
    const secret = { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: {} } };
    const Resources = Object.fromEntries(ids.map((id) => [id, secret]));
    const stack = createStack(templateSchema.parse({ Resources }), { ...HOME, stackName: 'Secrets' });
    return readSecrets(stack, () => undefined, file);
  };
  const first = await start('Kept', 'Removed');
  const second = await start('Kept');
  const third = await start('Kept', 'Removed');
  const isKept = Object.entries(first).map(([ref, value]) => [second[ref] === value, third[ref] === value]);
  assert.deepEqual(isKept, [
    [true, true],
    [false, false],
  ]);
});
