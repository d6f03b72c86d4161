import { CfnOutput, Duration, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as AnyFunction, Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { FunctionName, Variables } from '../functions/runtime/environment.ts';
import { Api } from './api.ts';
import { bundleFunctions } from './bundles.ts';
import { ChargeTable } from './charge-table.ts';
import type { Config } from './config.ts';
import { allOf, type Grant, settings } from './grant.ts';
import { KeyTable } from './key-table.ts';
import { MediaBucket } from './media-bucket.ts';
import { Operations } from './operations.ts';
import { ServiceFunction } from './service-function.ts';
import { StepQueue } from './step-queue.ts';
import { TaskTable } from './task-table.ts';
import { Upstream } from './upstream.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Longer than any image takes; streamed answers may take 15 minutes. */
const IMAGE_SECONDS = 300;

/** The whole service: what each function may do stands here, and nowhere else. */
export class MediaGenerationStack extends Stack {
  readonly #config: Config;
  readonly #code: (name: FunctionName) => Code;
  readonly #api: Api;
  readonly #keys: KeyTable;
  readonly #tasks: TaskTable;
  readonly #charges: ChargeTable;
  readonly #media: MediaBucket;
  readonly #steps: StepQueue;
  readonly #upstream: Upstream;
  readonly #functions = new Map<FunctionName, AnyFunction>();

  constructor(scope: Construct, id: string, config: Config, props?: StackProps) {
    super(scope, id, props);
    this.#config = config;
    this.#code = bundleFunctions(Stage.of(this)?.outdir ?? 'cdk.out');
    this.#keys = new KeyTable(this, 'Keys', config);
    this.#tasks = new TaskTable(this, 'Tasks', config);
    this.#charges = new ChargeTable(this, 'Charges', config);
    this.#media = new MediaBucket(this, 'Media', config);
    this.#steps = new StepQueue(this, 'Steps', config);
    this.#upstream = new Upstream(this, 'Upstream', config);
    this.#api = new Api(this, 'Api', config);
    this.#addVideoEndpoints();
    this.#addModelEndpoints();
    this.#addImageEndpoints();
    this.#addDescription();
    this.#addWorker();
    this.#addOperations();
    this.#addOutputs();
  }

  #addVideoEndpoints(): void {
    const keys = this.#keys.find();
    const create = this.#endpoint(
      'create-video',
      'Accepts a video task',
      allOf(keys, this.#tasks.create(), this.#steps.send(), this.#media.storeInputs()),
    );
    const list = this.#endpoint('list-videos', 'Lists video tasks', allOf(keys, this.#tasks.list()));
    const get = this.#endpoint(
      'get-video',
      'Tells the state of a video task',
      allOf(keys, this.#tasks.find()),
    );
    const remove = this.#endpoint(
      'delete-video',
      'Deletes a video',
      allOf(keys, this.#tasks.advance(), this.#charges.record(), this.#media.removeAll()),
    );
    const download = this.#endpoint(
      'download-video',
      'Redirects to a finished video',
      allOf(keys, this.#tasks.find(), this.#media.serveVideos()),
    );
    const generation = this.#endpoint(
      'get-generation',
      'Tells the state and the address of a video',
      allOf(keys, this.#tasks.find(), settings({ PUBLIC_BASE_URL: this.#config.publicBaseUrl })),
    );
    const notOffered = this.#endpoint('not-offered', 'Says what this service does not do', allOf(keys));

    this.#api.route('POST', '/v1/videos', create);
    this.#api.route('GET', '/v1/videos', list);
    this.#api.route('GET', '/v1/videos/{task_id}', get);
    this.#api.route('DELETE', '/v1/videos/{task_id}', remove);
    this.#api.route('GET', '/v1/videos/{task_id}/content', download);
    this.#api.route('GET', '/v1/video/generations/{task_id}', generation);
    this.#api.route('POST', '/v1/videos/{task_id}', notOffered);
    this.#api.route('POST', '/v1/videos/{task_id}/remix', notOffered);
    this.#api.route('POST', '/v1/videos/characters', notOffered);
    this.#api.route('GET', '/v1/videos/characters/{character_id}', notOffered);
  }

  #addModelEndpoints(): void {
    const keys = this.#keys.find();
    this.#api.route('GET', '/v1/models', this.#endpoint('list-models', 'Lists the models', allOf(keys)));
    this.#api.route(
      'GET',
      '/v1/models/{model}',
      this.#endpoint('get-model', 'Describes a model', allOf(keys)),
    );
  }

  #addImageEndpoints(): void {
    const props = {
      timeoutSeconds: IMAGE_SECONDS,
      memoryMegabytes: 1536,
      grants: allOf(
        this.#keys.find(),
        this.#charges.record(),
        this.#upstream.call(),
        settings({ PRICES: JSON.stringify(this.#config.prices) }),
      ),
    };
    const native = this.#function('generate-content', {
      ...props,
      description: 'Generates an image, native format',
    });
    const chat = this.#function('chat-completions', {
      ...props,
      description: 'Generates an image, chat-completion format',
    });
    // A path part cannot be `{model}:generateContent`, so the function splits it.
    this.#api.routeStreamed('POST', '/v1beta/models/{modelAction}', native, IMAGE_SECONDS);
    this.#api.routeStreamed('POST', '/v1/chat/completions', chat, IMAGE_SECONDS);
  }

  #addDescription(): void {
    const describe = this.#endpoint('get-openapi', 'Describes the API', settings({}));
    this.#api.route('GET', '/openapi.json', describe);
  }

  #addWorker(): void {
    const { workerTimeoutSeconds, videoRetentionDays, sweepGraceSeconds, prices } = this.#config;
    const worker = this.#function('video-worker', {
      description: 'Takes a video task one step further',
      timeoutSeconds: workerTimeoutSeconds,
      memoryMegabytes: 1024,
      grants: allOf(
        this.#tasks.advance(),
        this.#charges.record(),
        this.#steps.send(),
        this.#media.work(),
        this.#upstream.call(),
        settings({
          PRICES: JSON.stringify(prices),
          FETCH_CLAIM_SECONDS: String(workerTimeoutSeconds),
          VIDEO_RETENTION_SECONDS: String(videoRetentionDays * DAY_SECONDS),
        }),
      ),
    });
    this.#steps.drive(worker, this.#config.workerConcurrency);

    const deadLetter = this.#function('dead-letter', {
      description: 'Fails the tasks whose messages could not be handled',
      timeoutSeconds: 30,
      memoryMegabytes: 512,
      grants: allOf(this.#tasks.advance(), this.#charges.record(), this.#media.removeAll()),
    });
    this.#steps.bury(deadLetter);

    const sweeper = this.#function('sweeper', {
      description: 'Puts back on the queue what is overdue',
      timeoutSeconds: 55,
      memoryMegabytes: 512,
      grants: allOf(
        this.#tasks.sweep(),
        this.#steps.send(),
        this.#media.sweepInputs(),
        settings({ SWEEP_GRACE_SECONDS: String(sweepGraceSeconds) }),
      ),
    });
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper, { retryAttempts: 0 })],
    });
  }

  #addOperations(): void {
    new Operations(this, 'Operations', this.#config, {
      service: this.stackName,
      rest: this.#api.rest,
      throttledRequests: this.#api.throttledRequests,
      steps: this.#steps,
      tables: { tasks: this.#tasks.table, charges: this.#charges.table, keys: this.#keys.table },
      functions: this.#functions,
    });
  }

  #addOutputs(): void {
    new CfnOutput(this, 'BaseUrl', {
      value: this.#api.rest.url,
      description: 'Clients use this address and /v1',
    });
    new CfnOutput(this, 'KeyTableName', {
      value: this.#keys.table.tableName,
      description: 'For npm run keys',
    });
    new CfnOutput(this, 'UpstreamSecretArn', {
      value: this.#upstream.secret.secretArn,
      description: "Put the upstream generator's API key here",
    });
  }

  /** A function behind the gateway: its time is bounded by the gateway's 29 seconds. */
  #endpoint<Name extends FunctionName>(name: Name, description: string, grants: Grant<Variables<Name>>) {
    return this.#function(name, { description, grants, timeoutSeconds: 28, memoryMegabytes: 1024 });
  }

  #function<Name extends FunctionName>(
    name: Name,
    props: {
      description: string;
      grants: Grant<Variables<Name>>;
      timeoutSeconds: number;
      memoryMegabytes: number;
    },
  ): ServiceFunction<Name> {
    const id = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const created = new ServiceFunction<Name>(this, id, {
      ...props,
      code: this.#code(name),
      logRetentionDays: this.#config.logRetentionDays,
    });
    this.#functions.set(name, created);
    return created;
  }
}
