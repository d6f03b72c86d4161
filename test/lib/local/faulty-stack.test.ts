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
  type Api = { readonly paths: Record<string, unknown>; readonly settings: unknown[] };
  const REJECTED: readonly (readonly [title: string, change: (api: Api) => void, message: RegExp])[] = [
    [
      'settings for the method ANY',
      ({ settings }) =>
        settings.push({ HttpMethod: 'ANY', ResourcePath: '/~1probe', ThrottlingRateLimit: 1 }),
      /MethodSettings\.\d+\.HttpMethod/,
    ],
    [
      'settings for every method of one path',
      ({ settings }) => settings.push({ HttpMethod: '*', ResourcePath: '/~1probe', ThrottlingRateLimit: 1 }),
      /for both the method and the path/,
    ],
    [
      'method settings that take more patch operations than an update of a stage allows',
      ({ settings }) => {
        const given = settings.map((setting) => Object.keys(Object(setting)).length - 2);
        const room = 80 - given.reduce((sum, fields) => sum + fields, 0);
        for (let number = 0; number <= room; number += 1)
          settings.push({ HttpMethod: 'GET', ResourcePath: `/~1r${number}`, ThrottlingRateLimit: 1 });
      },
      /MethodSettings: Update size too large: the settings take 81 patch operations, and 80 are safe/,
    ],
    [
      'two path variables below one resource',
      ({ paths }) => {
        paths['/things/{name}/colour'] = paths['/things/{id}'];
      },
      /only one path variable below \/things/,
    ],
    [
      'a path part with an invalid character',
      ({ paths }) => {
        paths['/things/{id}:action'] = paths['/things/{id}'];
      },
      /does not accept the path \/things\/\{id\}:action/,
    ],
    [
      'a buffered integration with a timeout over 29 seconds',
      ({ paths }) => {
        const { 'x-amazon-apigateway-any-method': operation } = Object(paths['/hasty']);
        operation['x-amazon-apigateway-integration'].timeoutInMillis = 30_000;
      },
      /at most 29 seconds/,
    ],
  ];
  for (const [title, change, message] of REJECTED)
    it(title, async () => {
      const files = await changed('Rejected', (resources) => {
        const [stage, api] = ['AWS::ApiGateway::Stage', 'AWS::ApiGateway::RestApi'].map((type) =>
          Object.values(resources).find(({ Type }) => Type === type),
        );
        const settings = Array.from(Object(stage?.Properties.MethodSettings));
        change({ paths: Object(api?.Properties.Body).paths, settings });
        Object(stage?.Properties).MethodSettings = settings;
        return resources;
      });
      await assert.rejects(fixture.start(files, title.replaceAll(' ', '-')), { message });
    });
});
