import { randomUUID } from 'node:crypto';
import type { Stack } from '../template/stack.ts';
import { orderByDependencies, type Resource } from '../template/template.ts';
import type { AccountResources } from './account-resources.ts';
import type { Deployments } from './deployments.ts';
import { type Home, openStack, physicalName, type StackRecord, type Version } from './stack-record.ts';

/** Types whose names the templates give, so that they can collide. */
const NAMED_BY_TEMPLATE: ReadonlySet<string> = new Set(['AWS::Logs::LogGroup']);

type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'IMPORT';

type Options = {
  readonly home: Home;
  readonly resources: Pick<AccountResources, 'create' | 'remove' | 'takeName'>;
  readonly deployments: Pick<Deployments, 'restart' | 'stop'>;
  /** The reason why AWS would refuse this resource. */
  readonly refuse: (
    record: StackRecord,
    resource: Resource,
    operation: Operation,
  ) => Promise<string | undefined>;
};

class ResourceFailed extends Error {
  override readonly name = 'ResourceFailed';
}

const reasonFor = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Creates, updates, imports and deletes the resources of a stack one after another, in the order of CloudFormation. */
export class StackOperations {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  create(record: StackRecord, version: Version): Promise<void> {
    record.version = version;
    return this.#run(record, 'CREATE_IN_PROGRESS', 'ROLLBACK_FAILED', async () => {
      try {
        const stack = this.#open(record);
        for (const resource of ordered(version)) await this.#apply(record, stack, resource, 'CREATE');
        await this.#finish(record, stack);
        return 'CREATE_COMPLETE';
      } catch (error) {
        this.#setStatus(record, 'ROLLBACK_IN_PROGRESS', reasonFor(error));
        const isClean = await this.#removeAll(record, ordered(version), 'Retain');
        return isClean ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
      }
    });
  }

  update(record: StackRecord, version: Version): Promise<void> {
    const earlier = record.version;
    const changes = changedResources(earlier, version);
    record.version = version;
    return this.#run(record, 'UPDATE_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED', async () => {
      const added: Resource[] = [];
      try {
        const stack = this.#open(record);
        for (const resource of changes.changed) {
          const isNew = !record.existing.has(resource.logicalId);
          if (isNew) added.push(resource);
          await this.#apply(record, stack, resource, isNew ? 'CREATE' : 'UPDATE');
        }
        await this.#finish(record, stack);
      } catch (error) {
        this.#setStatus(record, 'UPDATE_ROLLBACK_IN_PROGRESS', reasonFor(error));
        const stack = this.#open(record);
        record.version = earlier;
        const former = this.#open(record);
        for (const resource of changes.former) await this.#options.resources.create(former, resource);
        const isClean = await this.#removeAll(record, added, 'Retain', stack);
        await this.#options.deployments.restart(record, former);
        return isClean ? 'UPDATE_ROLLBACK_COMPLETE' : 'UPDATE_ROLLBACK_FAILED';
      }
      this.#setStatus(record, 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS');
      await this.#removeAll(record, changes.removed, 'RetainAlways', this.#open(record, earlier));
      return 'UPDATE_COMPLETE';
    });
  }

  /** The resources exist already, under the names in the record. */
  import(record: StackRecord, version: Version): Promise<void> {
    record.version = version;
    return this.#run(record, 'IMPORT_IN_PROGRESS', 'IMPORT_ROLLBACK_FAILED', async () => {
      for (const resource of ordered(version)) {
        record.existing.add(resource.logicalId);
        this.#report(record, resource, 'IMPORT_COMPLETE');
      }
      return 'IMPORT_COMPLETE';
    });
  }

  delete(record: StackRecord): Promise<void> {
    return this.#run(record, 'DELETE_IN_PROGRESS', 'DELETE_FAILED', async () => {
      await this.#options.deployments.stop(record);
      const isClean = await this.#removeAll(record, ordered(record.version), 'RetainAlways');
      return isClean ? 'DELETE_COMPLETE' : 'DELETE_FAILED';
    });
  }

  /** Every operation ends with a status: whoever waits for the stack would not notice a fault of the control plane. */
  async #run(
    record: StackRecord,
    started: string,
    failed: string,
    work: () => Promise<string>,
  ): Promise<void> {
    this.#setStatus(record, started, 'User Initiated');
    try {
      this.#setStatus(record, await work());
    } catch (error) {
      this.#setStatus(record, failed, reasonFor(error));
    }
  }

  /** Resources that are new get their names first, because others refer to them. */
  #open(record: StackRecord, version = record.version): Stack {
    for (const [logicalId, { Type }] of Object.entries(version.template.Resources))
      if (!record.names.has(logicalId))
        record.names.set(logicalId, physicalName(record.name, logicalId, Type));
    return openStack(this.#options.home, record, version);
  }

  async #finish(record: StackRecord, stack: Stack): Promise<void> {
    const { baseUrl } = await this.#options.deployments.restart(record, stack);
    const outputs = stack.outputs();
    record.outputs = baseUrl === undefined ? outputs : { ...outputs, BaseUrl: `${baseUrl}/` };
  }

  async #apply(
    record: StackRecord,
    stack: Stack,
    resource: Resource,
    operation: 'CREATE' | 'UPDATE',
  ): Promise<void> {
    const { logicalId, Type } = resource;
    this.#report(record, resource, `${operation}_IN_PROGRESS`);
    try {
      await this.#check(record, resource, operation);
      if (operation === 'CREATE' && NAMED_BY_TEMPLATE.has(Type))
        this.#options.resources.takeName(Type, stack.identity(logicalId).ref);
      await this.#options.resources.create(stack, resource);
      record.existing.add(logicalId);
      this.#report(record, resource, `${operation}_COMPLETE`);
    } catch (error) {
      this.#report(record, resource, `${operation}_FAILED`, reasonFor(error));
      throw new ResourceFailed(
        `The following resource(s) failed to ${operation.toLowerCase()}: [${logicalId}].`,
      );
    }
  }

  async #check(record: StackRecord, resource: Resource, operation: Operation): Promise<void> {
    const reason = await this.#options.refuse(record, resource, operation);
    if (reason !== undefined) throw new ResourceFailed(reason);
  }

  /** Deletes in reverse order what no policy retains. A failed creation removes what RetainExceptOnCreate names. */
  async #removeAll(
    record: StackRecord,
    resources: readonly Resource[],
    retains: 'Retain' | 'RetainAlways',
    stack = this.#open(record),
  ): Promise<boolean> {
    let isClean = true;
    for (const resource of resources.toReversed()) {
      const { logicalId, Type, DeletionPolicy = 'Delete' } = resource;
      if (!record.existing.has(logicalId)) continue;
      if (DeletionPolicy === 'Retain' || (retains === 'RetainAlways' && DeletionPolicy !== 'Delete')) {
        this.#report(record, resource, 'DELETE_SKIPPED');
        continue;
      }
      this.#report(record, resource, 'DELETE_IN_PROGRESS');
      try {
        await this.#check(record, resource, 'DELETE');
        await this.#options.resources.remove(Type, stack.identity(logicalId).ref);
        record.existing.delete(logicalId);
        record.names.delete(logicalId);
        this.#report(record, resource, 'DELETE_COMPLETE');
      } catch (error) {
        isClean = false;
        this.#report(record, resource, 'DELETE_FAILED', reasonFor(error));
      }
    }
    return isClean;
  }

  #setStatus(record: StackRecord, status: string, reason?: string): void {
    record.status = status;
    record.reason = reason;
    const own = { logicalId: record.name, Type: 'AWS::CloudFormation::Stack', Properties: {} };
    this.#report(record, own, status, reason);
  }

  #report(record: StackRecord, { logicalId, Type }: Resource, status: string, reason?: string): void {
    const isStack = Type === 'AWS::CloudFormation::Stack';
    record.events.push({
      EventId: randomUUID(),
      Timestamp: new Date(),
      LogicalResourceId: logicalId,
      PhysicalResourceId: isStack ? record.id : (record.names.get(logicalId) ?? ''),
      ResourceType: Type,
      ResourceStatus: status,
      ResourceStatusReason: reason,
    });
  }
}

const ordered = ({ template }: Version): readonly Resource[] => orderByDependencies(template).ordered;

type Changes = {
  readonly changed: readonly Resource[];
  readonly removed: readonly Resource[];
  /** What the changed resources were. */
  readonly former: readonly Resource[];
};

export const changedResources = (earlier: Version, later: Version): Changes => {
  const text = ({ template, parameters }: Version, logicalId: string): string =>
    JSON.stringify([template.Resources[logicalId], parameters]);
  const [before, after] = [ordered(earlier), ordered(later)];
  const isIn = (resources: readonly Resource[], id: string) =>
    resources.some(({ logicalId }) => logicalId === id);
  const changed = after.filter(({ logicalId }) => text(earlier, logicalId) !== text(later, logicalId));
  return {
    changed,
    removed: before.filter(({ logicalId }) => !isIn(after, logicalId)),
    former: before.filter(({ logicalId }) => isIn(changed, logicalId)),
  };
};
