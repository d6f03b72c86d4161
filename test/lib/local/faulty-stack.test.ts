import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { LocalCloud } from '../../../lib/local/cloud.ts';
import { type Template, templateSchema } from '../../../lib/local/template/schema.ts';
import { openFixture } from './fixture/open-fixture.ts';

const fixture = await openFixture();

describe('a faulty stack', () => {
  let cloud: LocalCloud;

  const changed = async (name: string, keep: (logicalId: string, type: string) => boolean) => {
    const { templateFile, folder } = fixture;
    const template: Template = templateSchema.parse(JSON.parse(await readFile(templateFile, 'utf8')));
    const kept = Object.entries(template.Resources).filter(([logicalId, { Type }]) => keep(logicalId, Type));
    const file = join(folder, `${name}.template.json`);
    await writeFile(file, JSON.stringify({ ...template, Resources: Object.fromEntries(kept) }));
    return { templateFile: file, assetsFile: templateFile.replace('.template.', '.assets.') };
  };

  before(async () => {
    const files = await changed('Unpermitted', (_logicalId, type) => type !== 'AWS::Lambda::Permission');
    cloud = await fixture.start(files, 'unpermitted');
  });

  it('answers 500 where the gateway may not invoke the function', async () => {
    const response = await fetch(`${cloud.baseUrl}/probe`);
    assert.equal(response.status, 500);
    const expected = { error: { message: 'Internal server error', type: 'API_CONFIGURATION_ERROR' } };
    assert.deepEqual(await response.json(), expected);
    assert.deepEqual(cloud.invocations(), []);
  });

  it('does not run a schedule that may not invoke the function', async () => {
    await assert.rejects(cloud.runSchedule('EveryMinute'), {
      message: /is not permitted to invoke Sweeper/,
    });
  });

  it('does not start where a resource refers to one that is not there', async () => {
    const files = await changed('Headless', (_logicalId, type) => type !== 'AWS::S3::Bucket');
    const message = /^Probe\w+\.PolicyDocument refers to Media\w{8}\.Arn, which has no local value\.$/;
    await assert.rejects(fixture.start(files, 'headless'), { message });
  });
});
