import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { keys as keyQuery } from '../api/keys.ts';
import type { ApiKey } from '../api/shapes.ts';
import { useQuery } from '../api/use-query.ts';
import { Empty } from '../parts/empty.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts/texts.ts';
import { CreateKey } from './create-key.tsx';
import { KeyRow } from './key-row.tsx';
import { rememberNewKey } from './new-key.ts';
import { ShowKey } from './show-key.tsx';
import { useSpendByKey } from './spend-by-key.ts';
import { WhoseKey } from './whose-key.tsx';

const KeyTable = ({ keys }: { readonly keys: readonly ApiKey[] }) => {
  const { sums, error } = useSpendByKey();
  return (
    <>
      {error !== null && <ErrorProblem error={error} />}
      <div class="card table-card">
        <table class="table table-cards">
          <thead>
            <tr>
              <th scope="col">{texts.keys.name}</th>
              <th scope="col">{texts.keys.key}</th>
              <th scope="col">{texts.keys.created}</th>
              <th scope="col">{texts.keys.expires}</th>
              <th scope="col">{texts.keys.budget}</th>
              <th scope="col">{texts.keys.spend}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} spend={sums.get(key.id)} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

export const Keys = () => {
  const { project_id } = useCurrentSession();
  const { data, error, refetch } = useQuery(keyQuery, project_id);
  const [creates, setCreates] = useState(false);
  const [created, setCreated] = useState<ApiKey>();
  const keys = data?.data ?? [];
  const createButton = (
    <button type="button" class="button button-primary" onClick={() => setCreates(true)}>
      <Plus size={18} aria-hidden />
      {texts.keys.create}
    </button>
  );
  return (
    <>
      <PageTitle title={texts.keys.title} description={texts.keys.description}>
        {keys.length > 0 && createButton}
      </PageTitle>
      <div class="stack">
        {error !== null && <ErrorProblem error={error} retry={refetch} />}
        {data === undefined && error === null && <Waiting />}
        {data !== undefined && keys.length === 0 && (
          <Empty title={texts.keys.emptyTitle} text={texts.keys.emptyText}>
            {createButton}
          </Empty>
        )}
        {keys.length > 0 && <KeyTable keys={keys} />}
        {keys.length > 0 && <WhoseKey keys={keys} />}
      </div>
      <CreateKey
        open={creates}
        onClose={() => setCreates(false)}
        onCreated={(key) => {
          setCreates(false);
          setCreated(key);
          rememberNewKey(key);
        }}
      />
      <ShowKey apiKey={created} onClose={() => setCreated(undefined)} />
    </>
  );
};
