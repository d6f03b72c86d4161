import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StackOperations } from '../../../../lib/local/control-plane/stack-operations.ts';
import { newRecord, readVersion } from '../../../../lib/local/control-plane/stack-record.ts';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import { LocalCloudError } from '../../../../lib/local/errors.ts';
import { sharedTemplate } from '../../stack/synthesized-template.ts';

const home = { ...HOME, endpoint: 'http://127.0.0.1:1' };
const read = (template: object) =>
  readVersion(home, 'MediaGeneration', {
    body: JSON.stringify(template),
    parameters: {},
    findParameter: () => '30',
  });

type Faults = { readonly failingType?: string; readonly fault?: () => never };

/** An account that holds nothing, so that the operations alone are tested. */
const operationsWith = ({ failingType, fault = () => assert.fail() }: Faults) =>
  new StackOperations({
    home,
    resources: { create: async () => {}, remove: async () => {}, takeName: () => {} },
    deployments: {
      restart: async () => (failingType === undefined ? fault() : {}),
      stop: async () => fault(),
    },
    refuse: async (_, { Type }, operation) =>
      operation === 'CREATE' && Type === failingType ? 'It fails for a test.' : undefined,
  });

const deployed = read(await sharedTemplate());
const types = [...new Set(Object.values(deployed.template.Resources).map(({ Type }) => Type))];

describe('a first deployment leaves only what docs/deploy.md says, if this resource fails:', () => {
  for (const failingType of types)
    test(failingType, async () => {
      const record = newRecord(home, 'MediaGeneration');
      await operationsWith({ failingType }).create(record, deployed);
      assert.equal(record.status, 'ROLLBACK_COMPLETE');
      const left = [...record.existing].filter(
        (id) => deployed.template.Resources[id]?.Type !== 'AWS::DynamoDB::Table',
      );
      for (const id of left) assert.match(id, /^ApiRest(?:CloudWatchRole|Account)/);
    });
});

describe('a fault of the control plane ends', () => {
  const fault = () => {
    throw new LocalCloudError('a fault');
  };
  const queue = { Type: 'AWS::SQS::Queue', Properties: {} };
  const version = read({ Resources: { Queue: queue } });

  test('an update and its rollback with UPDATE_ROLLBACK_FAILED and the reason', async () => {
    const record = newRecord(home, 'MediaGeneration');
    const changed = { ...queue, Properties: { VisibilityTimeout: 60 } };
    await operationsWith({ failingType: 'none' }).create(record, version);
    await operationsWith({ fault }).update(record, read({ Resources: { Queue: changed } }));
    assert.deepEqual([record.status, record.reason], ['UPDATE_ROLLBACK_FAILED', 'a fault']);
  });

  test('a deletion with DELETE_FAILED and the reason', async () => {
    const record = newRecord(home, 'MediaGeneration');
    await operationsWith({ fault }).delete(record);
    assert.deepEqual(
      [record.status, record.events.at(-1)?.ResourceStatusReason],
      ['DELETE_FAILED', 'a fault'],
    );
  });
});
