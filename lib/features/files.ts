import type * as CreateFile from '../../functions/files/create-file.ts';
import type * as DeleteFile from '../../functions/files/delete-file.ts';
import type * as GetFile from '../../functions/files/get-file.ts';
import type * as GetFileContent from '../../functions/files/get-file-content.ts';
import type * as ListFiles from '../../functions/files/list-files.ts';
import { allOf } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** Files that accounts upload as inputs for videos and images. */
export const addFiles = ({ functions, api, keys, files, media }: Resources): void => {
  const key = keys.find();
  const create = functions.endpoint<typeof CreateFile>(
    'create-file',
    'Stores a file or returns an upload URL',
    allOf(key, files.create(), media.storeFiles()),
  );
  const list = functions.endpoint<typeof ListFiles>('list-files', 'Lists files', allOf(key, files.list()));
  const get = functions.endpoint<typeof GetFile>(
    'get-file',
    'Returns a file',
    allOf(key, files.find(), media.readFiles()),
  );
  const content = functions.endpoint<typeof GetFileContent>(
    'get-file-content',
    'Redirects to the content of a file',
    allOf(key, files.find(), media.readFiles()),
  );
  const remove = functions.endpoint<typeof DeleteFile>(
    'delete-file',
    'Deletes a file',
    allOf(key, files.remove(), media.setFilesAside()),
  );

  api.route('POST', '/v1/files', create);
  api.route('GET', '/v1/files', list);
  api.route('GET', '/v1/files/{file_id}', get);
  api.route('DELETE', '/v1/files/{file_id}', remove);
  api.route('GET', '/v1/files/{file_id}/content', content);
};
