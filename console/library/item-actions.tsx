import { Download, Film, ImagePlus } from 'lucide-preact';
import { useLocation } from 'wouter-preact';
import { useMutation } from '../api/hooks.ts';
import { deleteFile, fileContentPath, imagePages } from '../api/images.ts';
import { updateItem } from '../api/library.ts';
import { contentPath, deleteVideo, isUnfinished, videoPages } from '../api/videos.ts';
import { PREFIX } from '../environment.ts';
import { RotateCcw, StepForward } from '../page-icons.mjs';
import { Button } from '../parts/buttons.tsx';
import { DeleteButton } from '../parts/dialog.tsx';
import { ErrorProblem, RoleNote } from '../parts/feedback.tsx';
import { notify } from '../session/notices.ts';
import { useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { AddToCollection } from './add-to-collection.tsx';
import type { LibraryItem } from './items.ts';
import { KeepButton } from './keep-button.tsx';
import { libraryPath } from './library-filters.tsx';
import { returnToLibrary } from './library-position.ts';
import { NameButton } from './name-button.tsx';
import { hasContent, itemTitle } from './poster.tsx';
import { ShareButton, type SharedItem } from './share-dialog.tsx';
import {
  continueVideo,
  FRAME_ROLES,
  prepareImageAgain,
  prepareItemAs,
  prepareVideoAgain,
} from './use-again.ts';

export const itemContentPath = ({ kind, id }: LibraryItem): string =>
  kind === 'video' ? contentPath(id) : fileContentPath(id);

export const deleteItem = ({ kind, id }: LibraryItem): Promise<unknown> =>
  kind === 'video' ? deleteVideo(id) : deleteFile(id);

type Props = { readonly item: LibraryItem };

/** Cached lists must not show a deleted item again. */
export const forgetLists = (): void => {
  videoPages.clear();
  imagePages.clear();
};

const Delete = ({ item }: Props) => {
  const [, navigate] = useLocation();
  if (!useIsAllowed('delete')) return null;
  const { deleteTitle, deleteText } = item.kind === 'video' ? texts.task : texts.images;
  return (
    <DeleteButton
      title={deleteTitle}
      text={deleteText}
      onConfirm={() => deleteItem(item)}
      onDone={() => {
        forgetLists();
        notify(texts.task.deleted);
        if (!returnToLibrary()) navigate(libraryPath());
      }}
    />
  );
};

/** Actions that open a playground, with its draft prepared. */
const usePlaygroundAction = () => {
  const [, navigate] = useLocation();
  return useMutation(async (path: string, prepare: () => Promise<void>) => {
    await prepare();
    navigate(path);
  });
};

const VIDEO = '/playground/video';
const IMAGES = '/playground/images';

const toShared = (item: LibraryItem): SharedItem =>
  item.kind === 'video' ? { video_id: item.id } : { file_id: item.id };

export const ItemActions = ({ item }: Props) => {
  const { mutate, isPending, error } = usePlaygroundAction();
  const open = (path: string, prepare: () => Promise<void>) => () => void mutate(path, prepare);
  const mayCreate = useIsAllowed('create');
  const isThere = hasContent(item);
  const hasEnded = item.kind === 'image' || !isUnfinished(item.video);
  return (
    <div class="stack stack-tight">
      {error !== null && <ErrorProblem error={error} />}
      <div class="row">
        {isThere && (
          <a class="button" href={`${PREFIX}${itemContentPath(item)}`} download>
            <Download size={16} aria-hidden />
            {texts.actions.download}
          </a>
        )}
        {mayCreate && (
          <Button
            icon={RotateCcw}
            disabled={isPending}
            onClick={
              item.kind === 'video'
                ? open(VIDEO, () => prepareVideoAgain(item.video))
                : open(IMAGES, () => prepareImageAgain(item.image))
            }
          >
            {texts.actions.useAgain}
          </Button>
        )}
        {item.kind === 'video' && isThere && mayCreate && (
          <Button
            icon={StepForward}
            disabled={isPending}
            onClick={open(VIDEO, () => continueVideo(item.video))}
          >
            {texts.library.continueVideo}
          </Button>
        )}
        {isThere &&
          mayCreate &&
          FRAME_ROLES.filter((role) => item.kind === 'image' || role !== 'first').map((role) => (
            <Button
              key={role}
              icon={role === 'references' ? ImagePlus : Film}
              disabled={isPending}
              onClick={open(VIDEO, () => prepareItemAs(item, role, item.prompt))}
            >
              {texts.library.useAs[role]}
            </Button>
          ))}
        {isThere && <KeepButton id={item.id} isKept={item.isKept} name={itemTitle(item)} />}
        {hasEnded && (
          <NameButton
            title={texts.library.renameTitle}
            hint={texts.library.nameHint}
            name={item.name ?? ''}
            // An empty name removes it: the item then has its prompt again.
            onSave={(name) => updateItem(item.id, { name: name === '' ? null : name })}
          />
        )}
        <AddToCollection ids={[item.id]} />
        {isThere && <ShareButton item={toShared(item)} />}
        {hasEnded && <Delete item={item} />}
      </div>
      <RoleNote action="delete" />
    </div>
  );
};
