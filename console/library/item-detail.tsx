import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import type { FileObject } from '../../functions/files/api/file-object.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { ApiError } from '../api/errors.ts';
import { type QueryState, useQuery, useWindowEvent } from '../api/hooks.ts';
import { files } from '../api/images.ts';
import { videos } from '../api/videos.ts';
import { ArrowLeft, ArrowRight } from '../page-icons.mjs';
import { CopyButton } from '../parts/code-block.tsx';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { BackLink } from '../parts/lists.tsx';
import { NotFound } from '../parts/not-offered.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { StatusBadge } from '../parts/video-stage.tsx';
import { useHasFeature } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { CollectionDetail } from './collection-detail.tsx';
import { COLLECTIONS, Collections } from './collections.tsx';
import { forgetLists } from './item-actions.tsx';
import { ImageContent, VideoContent } from './item-content.tsx';
import { isImageId, type LibraryItem } from './items.ts';
import { lastFilters, libraryPath, useOwnFilters } from './library-filters.tsx';
import { returnToLibrary } from './library-position.ts';
import { useLibrary } from './use-library.ts';

/** Whether an arrow key belongs to the focused control: a text, a choice, a player, or an open dialog. */
const usesArrows = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, video, audio, dialog, [role="tablist"], pre, .prompt-text') !==
    null;

/** Replaces the entry of the history, so that Back still returns to the library. */
const keepState = () => ({ replace: true, state: history.state });

/** The items before and after this one in the library as it was last shown, also with the arrow keys. */
const Neighbours = ({ id }: { readonly id: string }) => {
  const [, navigate] = useLocation();
  const { items = [], hasMore, isLoadingMore, loadMore } = useLibrary(useOwnFilters(lastFilters()));
  const index = items.findIndex((item) => item.id === id);
  const [before, after] = index < 0 ? [] : [items[index - 1], items[index + 1]];
  const needsMore = index >= 0 && after === undefined && hasMore && !isLoadingMore;
  useEffect(() => {
    if (needsMore) loadMore();
  }, [needsMore]);
  useWindowEvent('keydown', (event) => {
    const wanted = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (wanted === undefined || hasModifier || event.defaultPrevented || usesArrows(event.target)) return;
    event.preventDefault();
    navigate(`/library/${wanted.id}`, keepState());
  });
  if (before === undefined && after === undefined) return null;
  return (
    <nav class="row" aria-label={texts.library.neighbours}>
      <Neighbour item={before} rel="prev" />
      <Neighbour item={after} rel="next" />
    </nav>
  );
};

type NeighbourProps = { readonly item: LibraryItem | undefined; readonly rel: 'prev' | 'next' };

const Neighbour = ({ item, rel }: NeighbourProps) => {
  if (item === undefined) return null;
  const label = rel === 'prev' ? texts.library.previous : texts.library.next;
  return (
    <Link class="button button-small" href={`/library/${item.id}`} {...keepState()}>
      {rel === 'prev' && <ArrowLeft size={15} aria-hidden />}
      {label}
      {rel === 'next' && <ArrowRight size={15} aria-hidden />}
    </Link>
  );
};

type FrameProps = {
  readonly id: string;
  readonly kind: LibraryItem['kind'];
  readonly query: QueryState<Pick<VideoObject, 'name'> | Pick<FileObject, 'name'>>;
  readonly badge: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The parts that videos and images have in common: the way back, the title, and all states without content. */
const DetailFrame = ({ id, kind, query, badge, children }: FrameProps) => {
  const { data, error } = query;
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    // The cached lists may still show it.
    if (isGone) forgetLists();
  }, [isGone]);
  return (
    <>
      <div class="row spread">
        <BackLink
          href={libraryPath()}
          onClick={(event: MouseEvent) => {
            const opensHere = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
            if (opensHere && returnToLibrary()) event.preventDefault();
          }}
        >
          {texts.library.back}
        </BackLink>
        <Neighbours id={id} />
      </div>
      <PageTitle title={data?.name ?? texts.library.kinds[kind]}>
        <div class="row">
          {data !== undefined && badge}
          <code class="small breaks">{id}</code>
          <CopyButton text={id} />
        </div>
      </PageTitle>
      {isGone && <Empty title={texts.library.notFoundTitle} text={texts.library.notFoundText} />}
      {!isGone && <LoadState {...query} />}
      {!isGone && children}
    </>
  );
};

const VideoDetail = ({ id }: { readonly id: string }) => {
  const query = useQuery(videos, id);
  const { data: video } = query;
  const badge = video !== undefined && <StatusBadge status={video.status} error={video.error} />;
  return (
    <DetailFrame id={id} kind="video" query={query} badge={badge}>
      {video !== undefined && <VideoContent video={video} />}
    </DetailFrame>
  );
};

const ImageDetail = ({ id }: { readonly id: string }) => {
  const query = useQuery(files, id);
  return (
    <DetailFrame id={id} kind="image" query={query} badge={<StatusBadge status="completed" />}>
      {query.data !== undefined && <ImageContent image={query.data} />}
    </DetailFrame>
  );
};

/** The id says whether it is a video, an image or a collection. One route for all, because routes are in the first page. */
export const ItemDetail = () => {
  const { id = '' } = useParams<{ id: string }>();
  const hasCollections = useHasFeature('collections');
  if (!hasCollections && (id === COLLECTIONS || id.startsWith('collection_'))) return <NotFound />;
  if (id === COLLECTIONS) return <Collections />;
  if (id.startsWith('collection_')) return <CollectionDetail key={id} id={id} />;
  return isImageId(id) ? <ImageDetail key={id} id={id} /> : <VideoDetail key={id} id={id} />;
};
