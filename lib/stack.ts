import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import { ChargeTable } from './charge-table.ts';
import type { Config } from './config.ts';
import { Functions } from './functions.ts';
import { addImageEndpoints } from './image-endpoints.ts';
import { KeyTable } from './key-table.ts';
import { MediaBucket } from './media-bucket.ts';
import { addModelEndpoints } from './model-endpoints.ts';
import { Operations } from './operations.ts';
import { addOutputs } from './outputs.ts';
import type { Parts } from './parts.ts';
import { StepQueue } from './step-queue.ts';
import { TaskTable } from './task-table.ts';
import { addUnknownRoutes } from './unknown-routes.ts';
import { Upstream } from './upstream.ts';
import { addVideoEndpoints } from './video-endpoints.ts';
import { addVideoWorker } from './video-worker.ts';

/** The whole service. */
export class MediaGenerationStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, props?: StackProps) {
    super(scope, id, props);
    const parts: Parts = {
      config,
      functions: new Functions(this, config),
      keys: new KeyTable(this, 'Keys', config),
      tasks: new TaskTable(this, 'Tasks', config),
      charges: new ChargeTable(this, 'Charges', config),
      media: new MediaBucket(this, 'Media', config),
      steps: new StepQueue(this, 'Steps', config),
      upstream: new Upstream(this, 'Upstream', config),
      api: new Api(this, 'Api', config),
    };
    addVideoEndpoints(parts);
    addModelEndpoints(parts);
    addImageEndpoints(parts);
    addUnknownRoutes(parts);
    addVideoWorker(this, parts);
    parts.functions.assertReserved();
    const operations = this.#addOperations(parts);
    addOutputs(this, parts, operations.topic.topicArn);
  }

  #addOperations({ config, api, steps, tasks, charges, keys, functions }: Parts): Operations {
    return new Operations(this, 'Operations', config, {
      service: this.stackName,
      rest: api.rest,
      throttledRequests: api.throttledRequests,
      steps,
      tables: { tasks: tasks.table, charges: charges.table, keys: keys.table },
      functions: functions.all,
      concurrencyQuota: config.lambdaConcurrencyQuota,
    });
  }
}
