import type * as StorageLimit from '../../functions/billing/storage-limit.ts';
import type * as ChangeCollections from '../../functions/library/change-collections.ts';
import type * as ListCollections from '../../functions/library/list-collections.ts';
import type * as UpdateItem from '../../functions/library/update-item.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Names, kept items and the storage for them, and collections. */
export const addLibrary = ({
  config,
  functions,
  api,
  keys,
  tasks,
  files,
  accounts,
  media,
  audit,
}: Resources): void => {
  const key = keys.find();
  const update = functions.endpoint<typeof UpdateItem>(
    'update-item',
    'Renames, keeps or releases a video or image',
    allOf(
      key,
      tasks.change(),
      files.find(),
      accounts.countKeptItems(),
      media.retain(),
      audit.add(),
      settings({ VIDEO_RETENTION_SECONDS: String(config.videoRetentionDays * DAY_SECONDS) }),
    ),
  );
  const storage = functions.endpoint<typeof StorageLimit>(
    'storage-limit',
    'Returns or sets the storage for kept items',
    allOf(key, accounts.setStorageLimit(), audit.add()),
  );

  const listCollections = functions.endpoint<typeof ListCollections>(
    'list-collections',
    'Lists collections',
    allOf(key, files.list()),
  );
  const changeCollections = functions.endpoint<typeof ChangeCollections>(
    'change-collections',
    'Creates, changes or deletes a collection',
    allOf(key, files.changeCollections(), audit.add()),
  );

  api.route('GET', '/v1/collections', listCollections);
  api.route('POST', '/v1/collections', changeCollections);
  api.route('POST', '/v1/collections/{collection_id}', changeCollections);
  api.route('DELETE', '/v1/collections/{collection_id}', changeCollections);
  api.route('POST', '/v1/library/{item_id}', update);
  api.route('GET', '/v1/organization/projects/{project_id}/storage_limit', storage);
  api.route('POST', '/v1/organization/projects/{project_id}/storage_limit', storage);
};
