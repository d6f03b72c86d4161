import type * as CreateFile from '../../functions/files/create-file.ts';
import type * as DeleteFile from '../../functions/files/delete-file.ts';
import type * as DeleteNativeFile from '../../functions/files/delete-native-file.ts';
import type * as GetFile from '../../functions/files/get-file.ts';
import type * as GetFileContent from '../../functions/files/get-file-content.ts';
import type * as ListFiles from '../../functions/files/list-files.ts';
import type * as ListNativeFiles from '../../functions/files/list-native-files.ts';
import type * as UploadNativeFile from '../../functions/files/upload-native-file.ts';
import type * as GetNativeFile from '../../functions/videos/get-native-file.ts';
import { allOf } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

/** Files that accounts upload as inputs for videos and images. */
export const addFiles = (resources: Resources): void => {
  addOpenAiRoutes(resources);
  addNativeRoutes(resources);
};

const addOpenAiRoutes = ({ serve, keys, files, media, accounts, upstreams, audit }: Resources): void => {
  const key = keys.find();
  serve<typeof CreateFile>(
    'create-file',
    allOf(key, files.create(), media.storeFiles(), upstreams.requestSize()),
  );
  serve<typeof ListFiles>('list-files', allOf(key, files.list()));
  serve<typeof GetFile>('get-file', allOf(key, files.find(), media.readFiles()));
  serve<typeof GetFileContent>('get-file-content', allOf(key, files.find(), media.readFiles()));
  serve<typeof DeleteFile>(
    'delete-file',
    allOf(key, files.remove(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );
};

/** The same files in the format of Google's clients, where a path is shared with generated videos. */
const addNativeRoutes = (resources: Resources): void => {
  const { address, serve, keys, files, media, accounts, tasks, upstreams, audit } = resources;
  const key = keys.find();
  serve<typeof UploadNativeFile>(
    'upload-native-file',
    allOf(key, files.receive(), media.receiveFiles(), address, upstreams.requestSize()),
  );
  serve<typeof ListNativeFiles>('list-native-files', allOf(key, files.list(), address));
  serve<typeof GetNativeFile>(
    'get-native-file',
    allOf(key, tasks.find(), files.find(), media.serveVideos(), media.readFiles(), address),
  );
  serve<typeof DeleteNativeFile>(
    'delete-native-file',
    allOf(key, files.remove(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );
};
