import type * as CreateFile from '../../functions/files/create-file.ts';
import type * as DeleteFile from '../../functions/files/delete-file.ts';
import type * as DeleteNativeFile from '../../functions/files/delete-native-file.ts';
import type * as GetFile from '../../functions/files/get-file.ts';
import type * as GetFileContent from '../../functions/files/get-file-content.ts';
import type * as ListFiles from '../../functions/files/list-files.ts';
import type * as ListNativeFiles from '../../functions/files/list-native-files.ts';
import type * as UploadNativeFile from '../../functions/files/upload-native-file.ts';
import type * as GetNativeFile from '../../functions/videos/get-native-file.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

/** Files that accounts upload as inputs for videos and images. */
export const addFiles = (resources: Resources): void => {
  addOpenAiRoutes(resources);
  addNativeRoutes(resources);
};

const addOpenAiRoutes = ({
  functions,
  api,
  keys,
  files,
  media,
  accounts,
  upstreams,
  audit,
}: Resources): void => {
  const key = keys.find();
  const create = functions.endpoint<typeof CreateFile>(
    'create-file',
    'Stores a file or returns an upload URL',
    allOf(key, files.create(), media.storeFiles(), upstreams.requestSize()),
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
    allOf(key, files.remove(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );

  api.route('POST', '/v1/files', create);
  api.route('GET', '/v1/files', list);
  api.route('GET', '/v1/files/{file_id}', get);
  api.route('DELETE', '/v1/files/{file_id}', remove);
  api.route('GET', '/v1/files/{file_id}/content', content);
};

/** The same files in the format of Google's clients, where a path is shared with generated videos. */
const addNativeRoutes = ({
  config,
  functions,
  api,
  keys,
  files,
  media,
  accounts,
  tasks,
  upstreams,
  audit,
}: Resources): void => {
  const key = keys.find();
  const address = settings({ PUBLIC_BASE_URL: publicAddress(config) });
  const upload = functions.endpoint<typeof UploadNativeFile>(
    'upload-native-file',
    'Receives a file, native format',
    allOf(key, files.receive(), media.receiveFiles(), address, upstreams.requestSize()),
  );
  const list = functions.endpoint<typeof ListNativeFiles>(
    'list-native-files',
    'Lists files, native format',
    allOf(key, files.list(), address),
  );
  const get = functions.endpoint<typeof GetNativeFile>(
    'get-native-file',
    'Returns a file or redirects to a completed video, native format',
    allOf(key, tasks.find(), files.find(), media.serveVideos(), media.readFiles(), address),
  );
  const remove = functions.endpoint<typeof DeleteNativeFile>(
    'delete-native-file',
    'Deletes a file, native format',
    allOf(key, files.remove(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );

  api.route('POST', '/upload/v1beta/files', upload);
  api.route('GET', '/v1beta/files', list);
  api.route('GET', '/v1beta/files/{file+}', get);
  api.route('DELETE', '/v1beta/files/{file+}', remove);
};
