import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { LocalCloud } from '../../../lib/local/cloud.ts';
import { type Template, templateSchema } from '../../../lib/local/template/template.ts';
import { openFixture } from './fixture/open-fixture.ts';

const fixture = await openFixture();

type Resources = Template['Resources'];
const changed = async (name: string, change: (resources: Resources) => Resources) => {
  const { templateFile, folder } = fixture;
  const template: Template = templateSchema.parse(JSON.parse(await readFile(templateFile, 'utf8')));
  const file = join(folder, `${name}.template.json`);
  await writeFile(file, JSON.stringify({ ...template, Resources: change(template.Resources) }));
  return { templateFile: file, assetsFile: templateFile.replace('.template.', '.assets.') };
};

describe('a faulty stack', () => {
  let cloud: LocalCloud;

  const without =
    (type: string) =>
    (resources: Resources): Resources =>
      Object.fromEntries(Object.entries(resources).filter(([, { Type }]) => Type !== type));

  before(async () => {
    const files = await changed('Unpermitted', (resources) =>
      Object.fromEntries(
        Object.entries(resources).filter(
          ([logicalId, { Type }]) =>
            Type !== 'AWS::Lambda::Permission' && !logicalId.startsWith('GatewayRoleDefaultPolicy'),
        ),
      ),
    );
    cloud = await fixture.start(files, 'unpermitted');
  });

  it('answers 500 if the gateway may not invoke the function', async () => {
    const response = await fetch(`${cloud.baseUrl}/probe`);
    assert.equal(response.status, 500);
    const expected = { error: { message: 'Internal server error', type: 'API_CONFIGURATION_ERROR' } };
    assert.deepEqual(await response.json(), expected);
    assert.deepEqual(cloud.invocations(), []);
  });

  it('does not run a schedule that may not invoke the function', async () => {
    await assert.rejects(cloud.runSchedule('EveryMinute'), { message: /is not permitted to invoke Sweeper/ });
  });

  it('does not start if a resource refers to a missing one', async () => {
    const files = await changed('Headless', without('AWS::S3::Bucket'));
    const message = /Probe\w+\.PolicyDocument refers to Media\w{8}\.Arn, which has no local value/;
    await assert.rejects(fixture.start(files, 'headless'), { message });
  });

  it('does not start if AWS would refuse it, as for variables of more than 4 KB', async () => {
    const files = await changed('Talkative', (resources) =>
      Object.fromEntries(
        Object.entries(resources).map(([logicalId, resource]) => {
          if (resource.Type !== 'AWS::Lambda::Function') return [logicalId, resource];
          const Environment = { Variables: { LONG: 'x'.repeat(4093) } };
          return [logicalId, { ...resource, Properties: { ...resource.Properties, Environment } }];
        }),
      ),
    );
    const message = /AWS would refuse the stack\..*Lambda allows at most 4096 bytes/;
    await assert.rejects(fixture.start(files, 'talkative'), { message });
  });
});
