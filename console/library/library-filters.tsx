import { useEffect } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { IMAGE_MODEL, VIDEO_MODELS } from '../../functions/catalogue/domain/models.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { useQuery } from '../api/hooks.ts';
import { keys as keyQuery } from '../api/organization.ts';
import type { ItemFilter } from '../api/query.ts';
import type { TaskFilter } from '../api/videos.ts';
import { TextField } from '../parts/field.tsx';
import { DayRange, FilterSelects, midnight, readFilters, useUrlFilters } from '../parts/filters.tsx';
import { ownFilter, useScope } from '../parts/scope.tsx';
import { usePeople } from '../people/names.ts';
import { useCurrentSession } from '../session/session.ts';
import { readTabValue, writeTabValue } from '../session/storage.ts';
import { texts } from '../texts/texts.ts';

const KINDS = Object.entries(texts.library.kinds);
const STATUSES = (['queued', 'in_progress', 'completed', 'failed'] as const).map(
  (status: VideoObject['status']) => [status, texts.states[status]] as const,
);
const KEPT = [
  ['', texts.library.keptOrNot],
  ['true', texts.library.kept],
] as const;
const MODELS = [...VIDEO_MODELS, IMAGE_MODEL].map((model) => [model, model] as const);

export const NO_FILTERS = {
  search: '',
  kind: '',
  status: '',
  model: '',
  key: '',
  person: '',
  /** `true` for kept items only. */
  kept: '',
  /** Days such as `2026-01-31`, both included. */
  from: '',
  to: '',
};
export type Filters = Readonly<typeof NO_FILTERS>;

const sharedFilter = ({ model, key, person, kept, from, to }: Filters): ItemFilter => ({
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
export const toImageFilter = (filters: Filters): ItemFilter | null =>
  filters.kind === 'video' ||
  !['', 'completed'].includes(filters.status) ||
  !['', IMAGE_MODEL].includes(filters.model)
    ? null
    : sharedFilter(filters);

/** Where a detail page returns to, so that the filters survive opening and deleting an item. */
const RETURN_PATH = 'library';

export const libraryPath = (): string => readTabValue(RETURN_PATH) ?? '/library';

/** The filters with which the library was last shown. */
export const lastFilters = (): Filters => readFilters(libraryPath().split('?')[1] ?? '', NO_FILTERS);

/**
 * Shows only one's own items, unless the person chose the account's, or looks for a person or a key. Unnamed people have
 * only their session.
 */
export const useOwnFilters = (filters: Filters): Filters => {
  const session = useCurrentSession();
  const [scope] = useScope();
  if (scope === 'account' || filters.person !== '' || filters.key !== '') return filters;
  const { user_id: person = '', api_key_id: key = '' } = ownFilter(session);
  return { ...filters, person, key };
};

export const useFilters = () => {
  const query = useSearch();
  useEffect(() => writeTabValue(RETURN_PATH, query === '' ? '/library' : `/library?${query}`), [query]);
  return useUrlFilters('/library', NO_FILTERS);
};

type Props = { readonly filters: Filters; readonly onChange: (change: Partial<Filters>) => void };

export const LibraryFilters = ({ filters, onChange }: Props) => {
  const { project_id, id } = useCurrentSession();
  const { data: keys } = useQuery(keyQuery, project_id);
  const keyNames = keys?.data.map((key) => [key.id, key.name] as const) ?? [];
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
      <FilterSelects
        filters={filters}
        onChange={onChange}
        selects={[
          ['kind', texts.library.kind, [['', texts.library.allKinds], ...KINDS]],
          ['status', texts.library.status, [['', texts.library.allStatuses], ...STATUSES]],
          ['kept', texts.library.stored, KEPT],
          ['model', texts.form.model, [['', texts.library.allModels], ...MODELS]],
          ['key', texts.keys.key, [['', texts.keys.shown.all], [id, texts.library.thisSession], ...keyNames]],
          ...(people.length === 0
            ? []
            : [['person', texts.people.person, [['', texts.people.everybody], ...people]] as const]),
        ]}
      />
      <DayRange range={filters} onChange={onChange} />
    </search>
  );
};
