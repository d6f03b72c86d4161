import { USAGE_ENDPOINTS } from '../../functions/billing/api/endpoints.ts';
import type * as StorageLimit from '../../functions/billing/storage-limit.ts';
import { LIBRARY_ENDPOINTS } from '../../functions/library/api/endpoints.ts';
import type * as ChangeCollections from '../../functions/library/change-collections.ts';
import type * as ListCollections from '../../functions/library/list-collections.ts';
import type * as UpdateItem from '../../functions/library/update-item.ts';
import { allOf } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

/** Names, kept items and the storage for them, and collections. */
export const addLibrary = (resources: Resources): void => {
  const { videoRetention, serve, keys, tasks, files, accounts, media, audit } = resources;
  const key = keys.find();
  serve<typeof UpdateItem>(
    'update-item',
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
    ['storage-limit', USAGE_ENDPOINTS.getStorageLimit, USAGE_ENDPOINTS.setStorageLimit],
    allOf(key, accounts.setStorageLimit(), audit.add()),
  );
  serve<typeof ListCollections>('list-collections', allOf(key, files.list()));
  serve<typeof ChangeCollections>(
    [
      'change-collections',
      LIBRARY_ENDPOINTS.createCollection,
      LIBRARY_ENDPOINTS.updateCollection,
      LIBRARY_ENDPOINTS.deleteCollection,
    ],
    allOf(key, files.changeCollections(), audit.add()),
  );
};
