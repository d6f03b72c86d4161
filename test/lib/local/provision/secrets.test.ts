import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import { readGeneratedSecrets, readSecrets } from '../../../../lib/local/provision/secrets.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { templateSchema } from '../../../../lib/local/template/template.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const PLAIN = { PasswordLength: 4, ExcludePunctuation: true };

const stackWith = (generation: object, ids: readonly string[]) => {
  const secret = { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: generation } };
  const Resources = Object.fromEntries(ids.map((id) => [id, secret]));
  return createStack(templateSchema.parse({ Resources }), { ...HOME, stackName: 'Secrets' });
};

test('generates secrets with every type of character that is not excluded, and no others', async () => {
  const file = join(await temporaryFolder('made-secrets'), 'secrets.json');
  const ids = Array.from({ length: 50 }, (_, position) => `Made${position}`);
  const made = Object.values(await readSecrets(stackWith(PLAIN, ids), () => undefined, file));
  for (const secret of made) assert.match(secret, /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9]{4}$/);
  assert.ok(new Set(made).size > 40);
  const [mixed = ''] = Object.values(await readSecrets(stackWith({}, ['Mixed']), () => undefined, file));
  assert.match(mixed, /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!-/:-@[-`{-~])[!-~]{32}$/);
  for (const generation of [{ PasswordLength: 2 }, { ...PLAIN, IncludeSpace: true }])
    await assert.rejects(
      readSecrets(stackWith(generation, ['Other']), () => undefined, file),
      { name: 'LocalCloudError' },
    );
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
  const start = (...ids: string[]) => readSecrets(stackWith(PLAIN, ids), () => undefined, file);
  const first = await start('Kept', 'Removed');
  const second = await start('Kept');
  const third = await start('Kept', 'Removed');
  const isKept = Object.entries(first).map(([ref, value]) => [second[ref] === value, third[ref] === value]);
  assert.deepEqual(isKept, [
    [true, true],
    [false, false],
  ]);
});
