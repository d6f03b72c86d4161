import { getStorageLimit, setStorageLimit } from '../../functions/billing/api/endpoints.ts';
import type * as StorageLimit from '../../functions/billing/storage-limit.ts';
import {
  createCollection,
  deleteCollection,
  listCollections,
  updateCollection,
  updateItem,
} from '../../functions/library/api/endpoints.ts';
import type * as ChangeCollections from '../../functions/library/change-collections.ts';
import type * as ListCollections from '../../functions/library/list-collections.ts';
import type * as UpdateItem from '../../functions/library/update-item.ts';
import { allOf } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

/** Names, kept items and the storage for them, and collections. */
export const addLibrary = ({
  videoRetention,
  serve,
  keys,
  tasks,
  files,
  accounts,
  media,
  audit,
}: Resources): void => {
  const key = keys.find();
  serve<typeof UpdateItem>(
    'update-item',
    updateItem,
    allOf(
      key,
      tasks.change(),
      files.find(),
      accounts.countKeptItems(),
      media.retain(),
      audit.add(),
      videoRetention,
    ),
  );
  serve<typeof StorageLimit>(
    'storage-limit',
    [getStorageLimit, setStorageLimit],
    allOf(key, accounts.setStorageLimit(), audit.add()),
  );
  serve<typeof ListCollections>('list-collections', listCollections, allOf(key, files.list()));
  serve<typeof ChangeCollections>(
    'change-collections',
    [createCollection, updateCollection, deleteCollection],
    allOf(key, files.changeCollections(), audit.add()),
  );
};
