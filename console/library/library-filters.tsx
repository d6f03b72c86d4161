import { useEffect } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { IMAGE_MODEL, VIDEO_MODELS } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useQuery } from '../api/hooks.ts';
import type { ImageFilter } from '../api/images.ts';
import { keys as keyQuery } from '../api/organization.ts';
import type { TaskFilter } from '../api/videos.ts';
import { DayRange, midnight } from '../parts/day-range.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { usePeople } from '../people/person-name.ts';
import { ownFilter, useScope } from '../shell/scope.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

export type Filters = {
  readonly search: string;
  readonly kind: string;
  readonly status: string;
  readonly model: string;
  readonly key: string;
  readonly person: string;
  /** `true` for kept items only. */
  readonly kept: string;
  /** Days such as `2026-01-31`, both included. */
  readonly from: string;
  readonly to: string;
};

const KINDS = ['video', 'image'] as const;
const STATUSES = [
  'queued',
  'in_progress',
  'completed',
  'failed',
] as const satisfies readonly VideoObject['status'][];

export const NO_FILTERS: Filters = {
  search: '',
  kind: '',
  status: '',
  model: '',
  key: '',
  person: '',
  kept: '',
  from: '',
  to: '',
};

const sharedFilter = ({ model, key, person, kept, from, to }: Filters): ImageFilter => ({
  model,
  api_key_id: key,
  user_id: person,
  kept,
  created_after: midnight(from, 0),
  created_before: midnight(to, 1),
});

/** The filter of the list of videos; null if no video can pass. The page itself searches. */
export const toTaskFilter = (filters: Filters): TaskFilter | null =>
  filters.kind === 'image' || filters.model === IMAGE_MODEL
    ? null
    : { status: filters.status, ...sharedFilter(filters) };

/** The filter of the list of images, which are all completed; null if no image can pass. */
export const toImageFilter = (filters: Filters): ImageFilter | null =>
  filters.kind === 'video' ||
  !['', 'completed'].includes(filters.status) ||
  !['', IMAGE_MODEL].includes(filters.model)
    ? null
    : sharedFilter(filters);

/** Where a detail page returns to, so that the filters survive opening and deleting an item. */
const RETURN_KEY = 'console.library';

export const libraryPath = (): string => {
  try {
    return sessionStorage.getItem(RETURN_KEY) ?? '/library';
  } catch {
    // The browser refuses storage.
    return '/library';
  }
};

const rememberPath = (path: string): void => {
  try {
    sessionStorage.setItem(RETURN_KEY, path);
  } catch {
    // The browser refuses storage; the filters are then lost.
  }
};

const readFilters = (query: string): Filters => {
  const search = new URLSearchParams(query);
  const names: readonly string[] = Object.keys(NO_FILTERS);
  return { ...NO_FILTERS, ...Object.fromEntries([...search].filter(([name]) => names.includes(name))) };
};

/** The filters with which the library was last shown. */
export const lastFilters = (): Filters => readFilters(libraryPath().split('?')[1] ?? '');

/**
 * Shows only one's own items, unless the person chose the account's, or looks for a person or a key. Unnamed people have
 * only their session.
 */
export const useOwnFilters = (filters: Filters): Filters => {
  const session = useCurrentSession();
  const [scope] = useScope();
  if (scope === 'account' || filters.person !== '' || filters.key !== '') return filters;
  const { user_id: person = '', api_key_id: key = '' } = {
    user_id: '',
    api_key_id: '',
    ...ownFilter(session),
  };
  return { ...filters, person, key };
};

/** The filters are part of the URL, so that a view can be shared and the back button undoes a choice. */
export const useFilters = (): readonly [Filters, (change: Partial<Filters>) => void] => {
  const query = useSearch();
  const [, navigate] = useLocation();
  useEffect(() => rememberPath(query === '' ? '/library' : `/library?${query}`), [query]);
  const filters = readFilters(query);
  const change = (changed: Partial<Filters>): void => {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    const query = new URLSearchParams(next).toString();
    // Typing replaces the history entry; a choice adds one.
    navigate(query === '' ? '/library' : `/library?${query}`, { replace: changed.search !== undefined });
  };
  return [filters, change];
};

type Props = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

const MODELS = [...VIDEO_MODELS, IMAGE_MODEL];

export const LibraryFilters = ({ filters, onChange }: Props) => {
  const { project_id, id } = useCurrentSession();
  const { data: keys } = useQuery(keyQuery, project_id);
  const people = usePeople() ?? [];
  return (
    <search class="filters">
      <TextField
        label={texts.library.search}
        type="search"
        data-search
        dir="auto"
        placeholder={texts.library.searchPlaceholder}
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <SelectField
        label={texts.library.kind}
        value={filters.kind}
        options={[
          ['', texts.library.allKinds],
          ...KINDS.map((kind) => [kind, texts.library.kinds[kind]] as const),
        ]}
        onChange={(kind) => onChange({ kind })}
      />
      <SelectField
        label={texts.library.status}
        value={filters.status}
        options={[
          ['', texts.library.allStatuses],
          ...STATUSES.map((status) => [status, texts.states[status]] as const),
        ]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={texts.library.stored}
        value={filters.kept}
        options={[
          ['', texts.library.keptOrNot],
          ['true', texts.library.kept],
        ]}
        onChange={(kept) => onChange({ kept })}
      />
      <SelectField
        label={texts.form.model}
        value={filters.model}
        options={[['', texts.library.allModels], ...MODELS.map((model) => [model, model] as const)]}
        onChange={(model) => onChange({ model })}
      />
      <SelectField
        label={texts.keys.key}
        value={filters.key}
        options={[
          ['', texts.keys.shown.all],
          [id, texts.library.thisSession],
          ...(keys?.data.map((key) => [key.id, key.name] as const) ?? []),
        ]}
        onChange={(key) => onChange({ key })}
      />
      {people.length > 0 && (
        <SelectField
          label={texts.people.person}
          value={filters.person}
          options={[['', texts.people.everybody], ...people]}
          onChange={(person) => onChange({ person })}
        />
      )}
      <DayRange range={filters} onChange={onChange} />
    </search>
  );
};
