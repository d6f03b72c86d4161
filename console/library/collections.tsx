import { Images } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { CollectionObject } from '../../functions/library/api/collection-object.ts';
import { serverNow } from '../api/clock.ts';
import { collections, createCollection } from '../api/collections.ts';
import { useQuery } from '../api/hooks.ts';
import { Plus } from '../page-icons.mjs';
import { Empty, LoadState } from '../parts/feedback.tsx';
import { formatNumber } from '../parts/format.ts';
import { Age, BackLink } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { useCollectedItem } from './collected-items.tsx';
import { NameButton } from './name-button.tsx';
import { Placeholder, Poster } from './poster.tsx';

/** Takes the place of an item's id in the address. */
export const COLLECTIONS = 'collections';
export const COLLECTIONS_PATH = `/library/${COLLECTIONS}`;

const CollectionCard = ({ collection }: { readonly collection: CollectionObject }) => {
  const { id, name, item_ids, cover_id, updated_at } = collection;
  const card = useRef<HTMLLIElement>(null);
  const { item } = useCollectedItem(cover_id, card);
  return (
    <li ref={card} class="item">
      {item === undefined ? (
        <span class="poster">
          <Placeholder icon={Images} label="" />
        </span>
      ) : (
        <Poster item={item} card={card} isPlaying={false} />
      )}
      <div class="item-main">
        <Link class="item-link" href={`/library/${id}`} dir="auto">
          {name}
        </Link>
      </div>
      <div class="row item-facts">
        <span class="quiet small number">{texts.collections.items(formatNumber(item_ids.length))}</span>
        <Age at={updated_at} now={serverNow()} style="quiet small item-age" />
      </div>
    </li>
  );
};

const Content = () => {
  const query = useQuery(collections);
  const { data } = query;
  return (
    <div class="stack">
      <LoadState {...query} />
      {data?.length === 0 && (
        <Empty title={texts.collections.emptyTitle} text={texts.collections.emptyText}>
          <Link class="button" href="/library">
            {texts.notOffered.link}
          </Link>
        </Empty>
      )}
      <ul class="items items-grid" hidden={data?.length === 0}>
        {data?.map((collection) => (
          <CollectionCard key={collection.id} collection={collection} />
        ))}
      </ul>
    </div>
  );
};

/** All collections of the account, with their covers. */
export const Collections = () => {
  const [, navigate] = useLocation();
  return (
    <>
      <BackLink href="/library">{texts.library.back}</BackLink>
      <PageTitle title={texts.collections.title} description={texts.collections.description}>
        <NameButton
          label={texts.collections.create}
          icon={Plus}
          kind="button-primary"
          title={texts.collections.create}
          name=""
          onSave={async (name) => navigate(`/library/${(await createCollection(name)).id}`)}
        />
      </PageTitle>
      <Content />
    </>
  );
};
