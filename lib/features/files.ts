import { FILE_ENDPOINTS, NATIVE_FILE_ENDPOINTS } from '../../functions/files/api/endpoints.ts';
import type * as CreateFile from '../../functions/files/create-file.ts';
import type * as DeleteFile from '../../functions/files/delete-file.ts';
import type * as GetFileContent from '../../functions/files/get-file-content.ts';
import type * as ListFiles from '../../functions/files/list-files.ts';
import type * as UploadNativeFile from '../../functions/files/upload-native-file.ts';
import type * as GetFile from '../../functions/videos/get-file.ts';
import { allOf } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

/** Files that accounts upload as inputs for videos and images. Each has the forms of OpenAI's and of Google's clients. */
export const addFiles = (resources: Resources): void => {
  const { address, serve, keys, files, media, accounts, tasks, upstreams, audit } = resources;
  const key = keys.find();
  serve<typeof CreateFile>(
    'create-file',
    allOf(key, files.create(), media.storeFiles(), upstreams.requestSize()),
  );
  serve<typeof UploadNativeFile>(
    'upload-native-file',
    allOf(key, files.receive(), media.receiveFiles(), address, upstreams.requestSize()),
  );
  serve<typeof ListFiles>(
    ['list-files', FILE_ENDPOINTS.listFiles, NATIVE_FILE_ENDPOINTS.listNativeFiles],
    allOf(key, files.list(), address),
  );
  // Google's clients download generated videos as files.
  serve<typeof GetFile>(
    ['get-file', FILE_ENDPOINTS.getFile, NATIVE_FILE_ENDPOINTS.getNativeFile],
    allOf(key, tasks.find(), files.find(), media.serveVideos(), media.readFiles(), address),
  );
  serve<typeof GetFileContent>('get-file-content', allOf(key, files.find(), media.readFiles()));
  serve<typeof DeleteFile>(
    ['delete-file', FILE_ENDPOINTS.deleteFile, NATIVE_FILE_ENDPOINTS.deleteNativeFile],
    allOf(key, files.remove(), media.setFilesAside(), accounts.returnStorage(), audit.add()),
  );
};
