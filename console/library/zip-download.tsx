import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { readFile } from '../api/images.ts';
import { Button } from '../parts/buttons.tsx';
import { formatNumber } from '../parts/format.ts';
import { download } from '../parts/object-url.ts';
import { notifyError, orNotify } from '../session/notices.ts';
import { texts } from '../texts/texts.ts';
import { itemContentPath } from './item-actions.tsx';
import { forEachItem, type LibraryItem, type Outcome } from './items.ts';
import {
  centralDirectory,
  crc32,
  localHeader,
  MAX_ZIP_BYTES,
  uniqueName,
  type ZipEntry,
} from './zip-file.ts';

/**
 * Several items as one zip file. The bytes go from the bucket to the private file system of the page, and from there to
 * the downloads of the browser, so that memory holds one chunk at a time whatever the size.
 */

const FOLDER = 'zip-downloads';
/** For items in an order: names that sort in it, and a list. */
export type Sequence = {
  /** The beginning of the name of the zip file. */
  readonly title: string;
  readonly listName: string;
  readonly describe: (item: LibraryItem) => string;
};

const MIN_DIGITS = 2;
const toPrefix = (index: number, total: number): string =>
  `${String(index + 1).padStart(Math.max(MIN_DIGITS, String(total).length), '0')}-`;

/** The browser needs the file until it has copied it; files of earlier pages are removed before the next download. */
const fileName = (title = 'library'): string => `${title}-${new Date().toISOString().slice(0, 10)}.zip`;

/** Whether the browser can write files of its own; private windows of some cannot. */
export const canZip = async (): Promise<boolean> => {
  try {
    const root = await navigator.storage.getDirectory();
    return 'createWritable' in FileSystemFileHandle.prototype && root !== undefined;
  } catch {
    return false;
  }
};

const openFile = async (): Promise<FileSystemFileHandle> => {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(FOLDER, { recursive: true }).catch(() => {
    // There is none, or another tab still uses it.
  });
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  return folder.getFileHandle(crypto.randomUUID(), { create: true });
};

const NAME = /filename\*=UTF-8''([^;]+)/;

/** The name that the service suggests for the download. */
const suggestedName = (response: Response, { id }: LibraryItem): string => {
  const [, encoded = id] = NAME.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return decodeURIComponent(encoded);
};

type Zip = { readonly file: FileSystemWritableFileStream; readonly taken: Set<string>; size: number };

const addItem = async (zip: Zip, item: LibraryItem, prefix: string): Promise<ZipEntry> => {
  const response = await readFile(itemContentPath(item));
  if (response.body === null) throw new Error(texts.errors.noConnection);
  const name = `${prefix}${suggestedName(response, item)}`;
  return addFile(zip, name, new Date(item.createdAt * 1000), response.body);
};

const addFile = async (
  zip: Zip,
  wantedName: string,
  modified: Date,
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<ZipEntry> => {
  const name = uniqueName(wantedName, zip.taken);
  const begin = { name, crc: 0, size: 0, offset: zip.size, modified };
  const { length } = localHeader(begin);
  let [crc, size] = [0, 0];
  try {
    await zip.file.write({ type: 'write', position: begin.offset, data: localHeader(begin) });
    for await (const chunk of bytes) {
      crc = crc32(chunk, crc);
      await zip.file.write({ type: 'write', position: begin.offset + length + size, data: chunk });
      size += chunk.length;
      if (begin.offset + length + size > MAX_ZIP_BYTES) throw new Error(texts.library.zipTooLarge);
    }
  } catch (error) {
    // The next item replaces what was written of this one.
    zip.taken.delete(name);
    throw error;
  }
  const entry = { ...begin, crc, size };
  await zip.file.write({ type: 'write', position: entry.offset, data: localHeader(entry) });
  zip.size = entry.offset + length + size;
  return entry;
};

/** An item that cannot be downloaded is missing in the file, and listed. */
export const downloadZip = async (
  items: readonly LibraryItem[],
  onProgress: (count: number) => void,
  sequence?: Sequence,
): Promise<Outcome> => {
  const handle = await openFile();
  const zip: Zip = { file: await handle.createWritable(), taken: new Set(), size: 0 };
  const entries: ZipEntry[] = [];
  const lines: string[] = [];
  const add = async (item: LibraryItem): Promise<void> => {
    const prefix = sequence === undefined ? '' : toPrefix(items.indexOf(item), items.length);
    const entry = await addItem(zip, item, prefix);
    entries.push(entry);
    lines.push(`${entry.name}\t${sequence?.describe(item) ?? ''}\n`);
  };
  const outcome = await forEachItem(items, add, onProgress, 1);
  if (sequence !== undefined)
    entries.push(await addFile(zip, sequence.listName, new Date(), new Blob(lines).stream()));
  let at = zip.size;
  for (const part of centralDirectory(entries, zip.size)) {
    await zip.file.write({ type: 'write', position: at, data: part });
    at += part.length;
  }
  await zip.file.truncate(at);
  await zip.file.close();
  // Not revoked: the browser may copy a large file for minutes.
  if (outcome.done.length > 0)
    download(URL.createObjectURL(await handle.getFile()), fileName(sequence?.title));
  return outcome;
};

type Props = {
  readonly total: number;
  readonly load: () => Promise<readonly LibraryItem[]>;
  readonly sequence: Sequence;
  readonly isSmall?: boolean;
};

/** Items as they are, in their order, with a list: nothing is encoded again, so content credentials stay valid. */
export const ZipButton = ({ total, load, sequence, isSmall = false }: Props) => {
  const [count, setCount] = useState(0);
  const { mutate, isPending } = useMutation(() =>
    orNotify(async () => {
      setCount(0);
      if (!(await canZip())) throw new Error(texts.library.cannotZip);
      const { failed } = await downloadZip(await load(), setCount, sequence);
      for (const { error } of failed) notifyError(error);
    }),
  );
  return (
    <Button
      icon={Download}
      iconSize={16}
      isSmall={isSmall}
      aria-disabled={isPending}
      onClick={() => void mutate()}
    >
      {isPending ? texts.library.working(formatNumber(count), formatNumber(total)) : texts.library.zip}
    </Button>
  );
};
