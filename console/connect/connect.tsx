import { useState } from 'preact/hooks';
import { useMutation } from '../api/hooks.ts';
import { PREFIX } from '../environment.ts';
import { getLatestKey, useKeyCreation } from '../keys/key-dialogs.tsx';
import { Button } from '../parts/buttons.tsx';
import { Tabs } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ErrorProblem, RoleNote } from '../parts/feedback.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { type SetUp, setUps } from './set-ups.ts';

/** Lists the tools as a client would: with the key, and without the session of the console. */
const testConnection = async (key: string): Promise<string> => {
  const response = await fetch(`${PREFIX}/mcp`, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result, error }: { result?: { tools: unknown[] }; error?: { message: string } } =
    await response.json();
  if (result === undefined) throw new Error(error?.message ?? String(response.status));
  return texts.connect.works(result.tools.length);
};

/** An agent spends by itself, so its key starts with limits; both can be changed before the key is created. */
const SUGGESTED = { name: 'Agent', days: '30', budget: '20' };

const placeText = (place: SetUp['place']): string => {
  if (place === 'terminal') return texts.connect.terminal;
  return place === 'settings' ? texts.connect.settings : texts.connect.file(place);
};

const SetUpText = ({ setUp }: { readonly setUp: SetUp }) => (
  <div class="stack stack-tight">
    <p class="quiet">{placeText(setUp.place)}</p>
    <CodeBlock code={setUp.code} label={texts.connect.label(setUp.name)} />
  </div>
);

const TestConnection = ({ apiKey }: { readonly apiKey: string }) => {
  const [outcome, setOutcome] = useState('');
  const { mutate, isPending, error } = useMutation(() => testConnection(apiKey), setOutcome);
  return (
    <div class="stack">
      {error !== null && <ErrorProblem error={error} />}
      <div class="row">
        <Button disabled={isPending} onClick={() => void mutate()}>
          {texts.connect.test}
        </Button>
        <p role="status">{error === null && outcome}</p>
      </div>
    </div>
  );
};

export const Connect = () => {
  const { base_url } = useCurrentSession();
  const mayCreate = useIsAllowed('ownKeys');
  const { button, dialogs } = useKeyCreation(SUGGESTED);
  const [chosen, setChosen] = useState('Claude Code');
  const key = getLatestKey()?.value;
  const all = setUps(`${base_url}/mcp`, key ?? 'API_KEY');
  return (
    <>
      <PageTitle title={texts.navigation.connect} description={texts.connect.description}>
        {mayCreate && button}
      </PageTitle>
      <div class="stack">
        <RoleNote action="ownKeys" />
        <section class="card stack">
          <p class="hint">{key === undefined ? texts.connect.withoutKey : texts.connect.withKey}</p>
          <Tabs
            label={texts.connect.client}
            chosen={chosen}
            onChoose={setChosen}
            tabs={all.map((setUp) => ({
              name: setUp.name,
              label: setUp.name,
              content: <SetUpText setUp={setUp} />,
            }))}
          />
          {key !== undefined && <TestConnection key={key} apiKey={key} />}
        </section>
        <p class="hint">{texts.connect.limits}</p>
      </div>
      {dialogs}
    </>
  );
};
