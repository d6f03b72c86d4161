import { DeleteTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { ClientConfig, Emulators, StackResources } from '../emulators/start.ts';
import { LocalCloudError } from '../errors.ts';
import { readBuckets } from '../provision/buckets.ts';
import { readQueues } from '../provision/queues.ts';
import { readSecrets } from '../provision/secrets.ts';
import { provisionTables } from '../provision/tables.ts';
import { listablePrefixes } from '../template/policies.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';
import type { Resource } from '../template/template.ts';

type Kind = {
  readonly create: (stack: Stack, resource: Resource) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Whether a resource of this name is there, for an import. */
  readonly exists: (name: string) => Promise<boolean>;
};

/** The resources of the account that contain data; all others exist only in the templates of their stacks. */
export class AccountResources {
  readonly #emulators: Emulators;
  readonly #config: ClientConfig;
  readonly #dynamo: DynamoDBClient;
  readonly #secretsFile: string;
  readonly #kinds: Readonly<Record<string, Kind>>;
  /** Explicit names, which two resources of a type cannot share. */
  readonly #taken = new Set<string>();
  #current: Required<StackResources> = { queues: {}, buckets: {}, secrets: {}, listablePrefixes: {} };

  constructor(emulators: Emulators, config: ClientConfig, secretsFile: string) {
    this.#emulators = emulators;
    this.#config = config;
    this.#secretsFile = secretsFile;
    this.#dynamo = new DynamoDBClient(config);
    this.#kinds = {
      [SUPPORTED_TYPES.table]: this.#tables(),
      [SUPPORTED_TYPES.bucket]: this.#buckets(),
      [SUPPORTED_TYPES.queue]: this.#named(
        'queues',
        (stack, resource) => readQueues(stack, [resource]),
        (url) => url.slice(url.lastIndexOf('/') + 1),
      ),
      [SUPPORTED_TYPES.secret]: this.#secrets(),
    };
  }

  /** Also updates a resource that exists. */
  async create(stack: Stack, resource: Resource): Promise<void> {
    await this.#kinds[resource.Type]?.create(stack, resource);
  }

  async remove(type: string, name: string): Promise<void> {
    await this.#kinds[type]?.remove(name);
    this.#taken.delete(`${type} ${name}`);
  }

  async exists(type: string, name: string): Promise<boolean> {
    return (await this.#kinds[type]?.exists(name)) ?? false;
  }

  /** As on AWS, a name that a template gives must be free. */
  takeName(type: string, name: string): void {
    const taken = `${type} ${name}`;
    if (this.#taken.has(taken))
      throw new LocalCloudError(`Resource of type '${type}' with identifier '${name}' already exists.`);
    this.#taken.add(taken);
  }

  /** Lets the functions of a stack list what their roles allow. */
  async allowLists(stack: Stack): Promise<void> {
    await this.#provision({ listablePrefixes: listablePrefixes(stack) });
  }

  close(): void {
    this.#dynamo.destroy();
  }

  async #provision(changed: Partial<StackResources>): Promise<void> {
    const wanted = { ...this.#current, ...changed };
    await this.#emulators.provision(wanted);
    this.#current = wanted;
  }

  #tables(): Kind {
    return {
      create: (stack, resource) => provisionTables(stack, this.#config, [resource]),
      remove: async (TableName) => {
        await this.#dynamo.send(new DeleteTableCommand({ TableName }));
      },
      exists: (TableName) =>
        this.#dynamo.send(new DescribeTableCommand({ TableName })).then(
          () => true,
          () => false,
        ),
    };
  }

  /** Buckets, queues and secrets, which the emulators get by name. */
  #named<Name extends 'buckets' | 'queues' | 'secrets'>(
    kind: Name,
    read: (stack: Stack, resource: Resource) => StackResources[Name] | Promise<StackResources[Name]>,
    nameIn = (ref: string): string => ref,
  ): Kind {
    return {
      create: async (stack, resource) => {
        const added = await read(stack, resource);
        await this.#provision({ [kind]: { ...this.#current[kind], ...added } });
      },
      remove: (ref) => {
        const left = Object.entries(this.#current[kind]).filter(([name]) => name !== nameIn(ref));
        return this.#provision({ [kind]: Object.fromEntries(left) });
      },
      exists: async (ref) => Object.hasOwn(this.#current[kind], nameIn(ref)),
    };
  }

  #buckets(): Kind {
    const buckets = this.#named('buckets', (stack, resource) => readBuckets(stack, [resource]));
    return {
      ...buckets,
      remove: async (Bucket) => {
        const client = new S3Client({ ...this.#config, forcePathStyle: true });
        const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
        client.destroy();
        if (KeyCount > 0) throw new LocalCloudError('The bucket you tried to delete is not empty');
        await buckets.remove(Bucket);
      },
    };
  }

  /** An update keeps the value. */
  #secrets(): Kind {
    return this.#named('secrets', async (stack, { logicalId }) => {
      const { ref } = stack.identity(logicalId);
      const { [ref]: value = '' } = await readSecrets(stack, () => undefined, this.#secretsFile);
      return { [ref]: this.#current.secrets[ref] ?? value };
    });
  }
}
