import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { LocalCloud } from '../../../lib/local/cloud.ts';
import { type Template, templateSchema } from '../../../lib/local/template/template.ts';
import { openFixture } from './fixture/open-fixture.ts';

const fixture = await openFixture();

describe('a faulty stack', () => {
  let cloud: LocalCloud;

  type Resources = Template['Resources'];
  const changed = async (name: string, change: (resources: Resources) => Resources) => {
    const { templateFile, folder } = fixture;
    const template: Template = templateSchema.parse(JSON.parse(await readFile(templateFile, 'utf8')));
    const file = join(folder, `${name}.template.json`);
    await writeFile(file, JSON.stringify({ ...template, Resources: change(template.Resources) }));
    return { templateFile: file, assetsFile: templateFile.replace('.template.', '.assets.') };
  };
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
    await assert.rejects(cloud.runSchedule('EveryMinute'), {
      message: /is not permitted to invoke Sweeper/,
    });
  });

  it('does not start if a resource refers to a missing one', async () => {
    const files = await changed('Headless', without('AWS::S3::Bucket'));
    const message = /^Probe\w+\.PolicyDocument refers to Media\w{8}\.Arn, which has no local value\.$/;
    await assert.rejects(fixture.start(files, 'headless'), { message });
  });

  it("does not start if a function's variables exceed Lambda's limit", async () => {
    const files = await changed('Talkative', (resources) =>
      Object.fromEntries(
        Object.entries(resources).map(([logicalId, resource]) => {
          if (resource.Type !== 'AWS::Lambda::Function') return [logicalId, resource];
          const Environment = { Variables: { LONG: 'x'.repeat(4093) } };
          return [logicalId, { ...resource, Properties: { ...resource.Properties, Environment } }];
        }),
      ),
    );
    await assert.rejects(fixture.start(files, 'talkative'), { message: /Lambda allows at most 4096 bytes/ });
  });
});

describe('does not start with an API that AWS would reject:', () => {
  const changedApi = async (
    name: string,
    change: (api: { Body: unknown; MethodSettings: unknown[] }) => void,
  ) => {
    const template = templateSchema.parse(JSON.parse(await readFile(fixture.templateFile, 'utf8')));
    const all = Object.values(template.Resources);
    const stage = all.find(({ Type }) => Type === 'AWS::ApiGateway::Stage')?.Properties;
    const api = all.find(({ Type }) => Type === 'AWS::ApiGateway::RestApi')?.Properties;
    assert.ok(stage !== undefined && api !== undefined);
    const settings: unknown[] = Array.from(Object(stage.MethodSettings));
    change({ Body: api.Body, MethodSettings: settings });
    stage.MethodSettings = settings;
    const file = join(fixture.folder, `${name}.template.json`);
    await writeFile(file, JSON.stringify(template));
    return { templateFile: file, assetsFile: fixture.templateFile.replace('.template.', '.assets.') };
  };

  it('settings for the method ANY', async () => {
    const files = await changedApi('AnySetting', ({ MethodSettings }) =>
      MethodSettings.push({ HttpMethod: 'ANY', ResourcePath: '/~1probe', ThrottlingRateLimit: 1 }),
    );
    await assert.rejects(fixture.start(files, 'any-setting'), { message: /MethodSettings\.\d+\.HttpMethod/ });
  });

  it('settings for every method of one path', async () => {
    const files = await changedApi('HalfWildcard', ({ MethodSettings }) =>
      MethodSettings.push({ HttpMethod: '*', ResourcePath: '/~1probe', ThrottlingRateLimit: 1 }),
    );
    await assert.rejects(fixture.start(files, 'half-wildcard'), {
      message: /for both the method and the path/,
    });
  });

  it('method settings that take more patch operations than an update of a stage allows', async () => {
    const files = await changedApi('LargeUpdate', ({ MethodSettings }) => {
      const given = MethodSettings.map((setting) => Object.keys(Object(setting)).length - 2);
      const room = 80 - given.reduce((sum, fields) => sum + fields, 0);
      for (let number = 0; number <= room; number += 1)
        MethodSettings.push({ HttpMethod: 'GET', ResourcePath: `/~1r${number}`, ThrottlingRateLimit: 1 });
    });
    await assert.rejects(fixture.start(files, 'large-update'), {
      message:
        /MethodSettings: Update size too large: the settings take 81 patch operations, and 80 are safe/,
    });
  });

  it('two path variables below one resource', async () => {
    const files = await changedApi('Siblings', ({ Body }) => {
      const { paths } = Object(Body);
      paths['/things/{name}/colour'] = paths['/things/{id}'];
    });
    await assert.rejects(fixture.start(files, 'siblings'), {
      message: /only one path variable below \/things/,
    });
  });

  it('a path part with an invalid character', async () => {
    const files = await changedApi('OddPart', ({ Body }) => {
      const { paths } = Object(Body);
      paths['/things/{id}:action'] = paths['/things/{id}'];
    });
    await assert.rejects(fixture.start(files, 'odd-part'), {
      message: /does not accept the path \/things\/\{id\}:action/,
    });
  });

  it('a buffered integration with a timeout over 29 seconds', async () => {
    const files = await changedApi('Patient', ({ Body }) => {
      Object(Body).paths['/hasty']['x-amazon-apigateway-any-method'][
        'x-amazon-apigateway-integration'
      ].timeoutInMillis = 30_000;
    });
    await assert.rejects(fixture.start(files, 'patient'), { message: /at most 29 seconds/ });
  });
});
