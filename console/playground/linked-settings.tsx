import { useEffect, useRef, useState } from 'preact/hooks';
import { truncate } from '../../functions/platform/domain/text.ts';
import { checkFiles, uploadImage } from '../api/image-files.ts';
import { fileContentPath, readFile, unlessGone } from '../api/images.ts';
import { getJson } from '../api/request.ts';
import { CONSOLE_BASE } from '../environment.ts';
import { SmallButton } from '../parts/buttons.tsx';
import { notify, notifyError } from '../session/notices.ts';
import { texts } from '../texts/texts.ts';
import type { ImageFiles, ImageForm } from './image-form.ts';
import { readImageLink, readVideoLink, writeImageLink, writeVideoLink } from './link-fields.ts';
import { imageRoles, type VideoFiles, type VideoForm } from './video-form.ts';

const MAX_VALUE = 40;

type Problem = readonly [name: string, value: string];
type Settings<Form, Files> = { readonly form: Form; readonly files: Files };
type Loaded<Form, Files> = Settings<Form, Files> & { readonly problems: readonly Problem[] };

const loadFile = async (id: string): Promise<File | undefined> => {
  const blob = await (await unlessGone(() => readFile(fileContentPath(id))))?.blob();
  if (blob === undefined) return undefined;
  return (await checkFiles([new File([blob], id, { type: blob.type })])).accepted[0];
};

const loadVideoLink = async (fragment: string): Promise<Loaded<VideoForm, VideoFiles>> => {
  const { form, files, problems } = readVideoLink(fragment);
  const loaded: Record<keyof VideoFiles, File[]> = { first: [], last: [], references: [] };
  const missing: Problem[] = [];
  for (const role of ['first', 'last', 'references'] as const)
    for (const id of files[role]) {
      const file = await loadFile(id);
      if (file === undefined) missing.push([role, id]);
      else loaded[role].push(file);
    }
  return { form, files: loaded, problems: [...problems, ...missing] };
};

const loadImageLink = async (fragment: string): Promise<Loaded<ImageForm, ImageFiles>> => {
  const { form, files, problems } = readImageLink(fragment);
  const kept: { id: string; name: string }[] = [];
  const missing: Problem[] = [];
  for (const id of files) {
    const file = await unlessGone(() => getJson<{ filename: string }>(`/v1/files/${id}`));
    if (file === undefined) missing.push(['input', id]);
    else kept.push({ id, name: file.filename });
  }
  return { form: { ...form, kept }, files: { inputs: [] }, problems: [...problems, ...missing] };
};

type Props<Form, Files> = {
  /** The fragment of the link. */
  readonly link: string;
  readonly current: Settings<Form, Files>;
  readonly onApply: (settings: Settings<Form, Files>) => void;
};

/** Fills in the settings of a link, says what it does not accept, and can undo it. Never starts anything. */
const linkedSettings =
  <Form, Files>(load: (fragment: string) => Promise<Loaded<Form, Files>>) =>
  ({ link, current, onApply }: Props<Form, Files>) => {
    const [applied, setApplied] = useState<{
      readonly before: Settings<Form, Files>;
      readonly problems: readonly Problem[];
    }>();
    const latest = useRef(current);
    latest.current = current;
    useEffect(() => {
      load(link).then(({ problems, ...settings }) => {
        setApplied({ before: latest.current, problems });
        onApply(settings);
      }, notifyError);
    }, [link]);
    if (applied === undefined) return null;
    return (
      <div class="line banner" role="status">
        <div class="stack stack-tight">
          <p>{texts.links.applied}</p>
          {applied.problems.length > 0 && (
            <p>
              {texts.links.dropped(
                applied.problems
                  .map(([name, value]) => texts.links.field(name, truncate(value, MAX_VALUE)))
                  .join(', '),
              )}
            </p>
          )}
        </div>
        <SmallButton
          onClick={() => {
            onApply(applied.before);
            setApplied(undefined);
          }}
        >
          {texts.links.undo}
        </SmallButton>
      </div>
    );
  };

export const LinkedVideo = linkedSettings(loadVideoLink);
export const LinkedImage = linkedSettings(loadImageLink);

/** The promise is passed on, because uploads take longer than a browser lets a page copy after a click. */
const copy = async (path: string, fragment: Promise<string>, hasImages: boolean): Promise<void> => {
  const link = fragment.then((text) => `${location.origin}${CONSOLE_BASE}${path}${text}`);
  try {
    const type = 'text/plain';
    await navigator.clipboard.write([
      new ClipboardItem({ [type]: link.then((text) => new Blob([text], { type })) }),
    ]);
    notify(hasImages ? texts.links.copiedWithImages : texts.links.copied, 'good');
  } catch {
    // An upload may have failed, which says why.
    await link.then(() => notify(texts.errors.notCopied, 'bad'), notifyError);
  }
};

const uploadAll = (images: readonly File[]): Promise<string[]> => Promise.all(images.map(uploadImage));

export const copyVideoLink = async (form: VideoForm, files: VideoFiles): Promise<void> => {
  const fragment = async (): Promise<string> => {
    const [first, last, references] = await Promise.all(
      (['first', 'last', 'references'] as const).map((role) =>
        uploadAll(imageRoles(form).includes(role) ? files[role] : []),
      ),
    );
    return writeVideoLink(form, { first: first ?? [], last: last ?? [], references: references ?? [] });
  };
  const hasImages = imageRoles(form).some((role) => files[role].length > 0);
  await copy('/playground/video', fragment(), hasImages);
};

export const copyImageLink = async (form: ImageForm, { inputs }: ImageFiles): Promise<void> => {
  const fragment = async () => writeImageLink(form, await uploadAll(inputs));
  await copy('/playground/images', fragment(), inputs.length + form.kept.length > 0);
};
