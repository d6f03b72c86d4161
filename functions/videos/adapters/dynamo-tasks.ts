import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { AuditTrail } from '../../identity/adapters/audit-trail.ts';
import { isInvalid, writeTogether } from '../../platform/aws/contention.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { type Condition, putWrite } from '../../platform/aws/table-writes.ts';
import { timeOfTaskId } from '../../platform/domain/ids.ts';
import type { placeWrites } from '../../upstream/adapters/dynamo-places.ts';
import type { Task, TaskChanges, TaskRepository } from '../domain/task.ts';
import { fromItem, readMarker, readPosition, toItem, toMarker } from './task-item.ts';

/** The marker of a removed task does not block a new one. */
const IS_NEW = 'attribute_not_exists(id) OR attribute_exists(removed_task)';

export const atStep = (step: number, further = ''): Condition => ({
  when: `#step = :step${further}`,
  values: { step },
});

export const stepWrite = (table: string, next: Task): TransactWriteItem =>
  putWrite(table, toItem(next), atStep(next.step - 1));

export const dynamoTaskChanges = <Storage>(
  table: string,
  audit: AuditTrail,
  countStorage: (change: Storage) => TransactWriteItem,
): TaskChanges<Storage> => ({
  write: async (next, entry, storage) => {
    const counted = storage === undefined ? [] : [countStorage(storage)];
    return (await audit.write([stepWrite(table, next), ...counted], entry)).length === 0;
  },
});

export const dynamoTasks = (
  client: DynamoDBClient,
  name: string,
  places?: ReturnType<typeof placeWrites>,
): TaskRepository => {
  const table = dynamoTable(client, name);

  const put = (task: Task, condition: Condition): Promise<boolean> =>
    table.writeOnce((writeId) => {
      const item = { ...toItem(task), write_id: { S: writeId } };
      return putWrite(name, item, { ...condition, returnsItem: true });
    });

  return {
    create: (task) => put(task, { when: IS_NEW }),

    find: (id) => table.get({ id }, (item) => (readMarker(item) === undefined ? fromItem(item) : undefined)),

    position: (id) => table.get({ id }, (item) => readMarker(item) ?? readPosition(item)),

    advance: async (next, returned = []) => {
      const alone = () => put(next, atStep(next.step - 1));
      if (returned.length === 0 || places === undefined) return alone();
      try {
        const writes = [stepWrite(name, next), ...returned.map(places.giveBack)];
        return (await writeTogether(client, writes)).length === 0;
      } catch (error) {
        // The state of an upstream that left the settings may be gone, but its videos still end.
        if (!isInvalid(error)) throw error;
        return alone();
      }
    },

    advanceWithPlace: async (next, place) => {
      if (places === undefined) throw new Error('this function cannot take places at upstreams');
      const failed = await writeTogether(client, [stepWrite(name, next), places.take(place)]);
      if (failed.length === 0) return true;
      return failed[0] === undefined ? 'full' : false;
    },

    remove: (task) =>
      timeOfTaskId(task.id) === undefined
        ? table.put(toMarker(task, Date.now()), atStep(task.step))
        : table.remove({ id: task.id }, atStep(task.step)),
  };
};
