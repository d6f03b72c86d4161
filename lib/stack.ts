import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
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
    this.#addOperations(parts);
    this.#addOutputs(parts);
  }

  #addOperations({ config, api, steps, tasks, charges, keys, functions }: Parts): void {
    new Operations(this, 'Operations', config, {
      service: this.stackName,
      rest: api.rest,
      throttledRequests: api.throttledRequests,
      steps,
      tables: { tasks: tasks.table, charges: charges.table, keys: keys.table },
      functions: functions.all,
    });
  }

  #addOutputs({ api, keys, upstream }: Parts): void {
    new CfnOutput(this, 'BaseUrl', {
      value: api.rest.url,
      description: 'Clients use this address and /v1',
    });
    new CfnOutput(this, 'KeyTableName', {
      value: keys.table.tableName,
      description: 'For npm run keys',
    });
    new CfnOutput(this, 'UpstreamSecretArn', {
      value: upstream.secret.secretArn,
      description: "Put the upstream generator's API key here",
    });
  }
}
