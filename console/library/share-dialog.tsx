import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CreatedShare, ShareList, ShareObject } from '../../functions/shares/api/share-object.ts';
import { serverNow } from '../api/clock.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson, queryString, sendJson } from '../api/request.ts';
import { updateEntry } from '../api/update-entry.ts';
import { Share2 } from '../page-icons.mjs';
import { Button, SmallButton } from '../parts/buttons.tsx';
import { Toggle } from '../parts/choices.tsx';
import { CopyButton } from '../parts/code-block.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ActionError, LoadState } from '../parts/feedback.tsx';
import { Field, SelectField } from '../parts/field.tsx';
import { formatAge, formatTime } from '../parts/format.ts';
import { notify } from '../session/notices.ts';
import { useHasFeature, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** What a share link leads to: a completed video, a generated image or a collection. */
export type SharedItem =
  | { readonly video_id: string }
  | { readonly file_id: string }
  | { readonly collection_id: string };

const fieldName = (item: SharedItem): keyof typeof texts.share.titles => {
  if ('video_id' in item) return 'video_id';
  return 'file_id' in item ? 'file_id' : 'collection_id';
};

const SHARES = '/v1/shares';

/** The live links, newest first. */
const itemShares = createQuery<[item: SharedItem], ShareList>((signal, [item]) =>
  getJson(`${SHARES}${queryString({ limit: 100, ...item })}`, signal),
);

type ShareTerms = { readonly expires_in_seconds: number; readonly show_prompt: boolean };

/** The list may not have the new link for a moment, so it is added here. */
const changeList = (item: SharedItem, change: (shares: ShareObject[]) => ShareObject[]): void =>
  updateEntry(itemShares.entry(item), (list) => ({ ...list, data: change(list.data) }));

const createShare = async (item: SharedItem, terms: ShareTerms): Promise<CreatedShare> => {
  const created = await sendJson<CreatedShare>('POST', SHARES, { ...item, ...terms });
  changeList(item, (shares) => [created, ...shares.filter(({ id }) => id !== created.id)]);
  return created;
};

const revokeShare = async (item: SharedItem, id: string): Promise<void> => {
  await sendJson('DELETE', `${SHARES}/${encodeURIComponent(id)}`);
  changeList(item, (shares) => shares.filter((share) => share.id !== id));
};

/** In seconds. */
const DEFAULT_DURATION = '86400';
const DURATIONS = [
  ['3600', texts.share.durations.hour],
  [DEFAULT_DURATION, texts.share.durations.day],
  ['259200', texts.share.durations.threeDays],
  ['604800', texts.share.durations.week],
] as const;

/** The link is shown once: only a hash of it is stored. */
const NewLink = ({ url, expires_at: expiresAt }: CreatedShare) => {
  const input = useRef<HTMLInputElement>(null);
  // Before the next frame, so that no key press goes elsewhere. In some browsers `select` does not move the focus.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [url]);
  return (
    <Field label={texts.share.link} hint={texts.share.once(formatTime(expiresAt))}>
      {(control) => (
        <div class="row share-link">
          <input
            {...control}
            ref={input}
            readOnly
            dir="ltr"
            value={url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={url} />
        </div>
      )}
    </Field>
  );
};

type RowProps = {
  readonly item: SharedItem;
  readonly share: ShareObject;
  readonly isNew: boolean;
  readonly onRevoked: (id: string) => void;
};

const ShareRow = ({ item, share, isNew, onRevoked }: RowProps) => {
  const { mutate, isPending, error } = useMutation(
    () => revokeShare(item, share.id),
    () => {
      onRevoked(share.id);
      notify(texts.share.revoked);
    },
  );
  const created = isNew
    ? texts.share.created
    : texts.share.createdAt(formatAge(share.created_at, serverNow()));
  return (
    <li class="stack">
      <div class="row spread">
        <span>
          {texts.share.until(formatTime(share.expires_at))}
          <span class="quiet small below">
            {created}
            {share.show_prompt && ` · ${texts.share.withPrompt}`}
          </span>
        </span>
        <SmallButton
          kind="button-danger"
          aria-label={texts.share.revokeOne(formatTime(share.created_at))}
          aria-disabled={isPending}
          onClick={() => void mutate()}
        >
          {texts.actions.revoke}
        </SmallButton>
      </div>
      <ActionError error={error} />
    </li>
  );
};

type ListProps = Pick<RowProps, 'item' | 'onRevoked'> & { readonly newest: string | undefined };

const ShareRows = ({ item, newest, onRevoked }: ListProps) => {
  const query = useQuery(itemShares, item);
  if (query.data === undefined) return <LoadState {...query} />;
  const { data } = query.data;
  if (data.length === 0) return <p class="quiet small">{texts.share.none}</p>;
  return (
    <ul class="share-list box">
      {data.map((share) => (
        <ShareRow
          key={share.id}
          item={item}
          share={share}
          isNew={share.id === newest}
          onRevoked={onRevoked}
        />
      ))}
    </ul>
  );
};

const ShareForm = ({ item }: { readonly item: SharedItem }) => {
  const [seconds, setSeconds] = useState<string>(DEFAULT_DURATION);
  const [showsPrompt, setShowsPrompt] = useState(false);
  const { mutate, isPending, error, data } = useMutation(() =>
    createShare(item, { expires_in_seconds: Number(seconds), show_prompt: showsPrompt }),
  );
  const [revoked, setRevoked] = useState<readonly string[]>([]);
  return (
    <div class="stack">
      <p>{texts.share.texts[fieldName(item)]}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void mutate();
        }}
      >
        <SelectField label={texts.share.duration} value={seconds} options={DURATIONS} onChange={setSeconds} />
        <Toggle isOn={showsPrompt} onChange={setShowsPrompt}>
          {texts.share.showPrompt['collection_id' in item ? 'several' : 'one']}
        </Toggle>
        <ActionError error={error} />
        <div class="row">
          <Button type="submit" kind="button-primary" aria-disabled={isPending}>
            {texts.share.create}
          </Button>
        </div>
      </form>
      <div role="status">{data !== undefined && !revoked.includes(data.id) && <NewLink {...data} />}</div>
      <section class="stack">
        <h3>{texts.share.links}</h3>
        <ShareRows item={item} newest={data?.id} onRevoked={(id) => setRevoked((known) => [...known, id])} />
      </section>
    </div>
  );
};

type Props = { readonly item: SharedItem; readonly isIcon?: boolean; readonly isSmall?: boolean };

export const ShareButton = ({ item, isIcon = false, isSmall = false }: Props) => {
  const isOffered = useHasFeature('shares');
  if (!useIsAllowed('share') || !isOffered) return null;
  return (
    <DialogButton
      title={texts.share.titles[fieldName(item)]}
      icon={Share2}
      iconSize={16}
      label={texts.share.action}
      isIcon={isIcon}
      isSmall={isSmall}
    >
      {() => <ShareForm item={item} />}
    </DialogButton>
  );
};
