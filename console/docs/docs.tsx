import { useLocation, useSearch } from 'wouter-preact';
import { formatNumber } from '../parts/format.ts';
import { CardTable, Pairs } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { ERROR_ROWS, limitRows } from './explanations.ts';
import { Quickstart } from './quickstart.tsx';
import { Reference } from './reference.tsx';

const Limits = () => {
  const { video_retention_days, image_bytes } = useCurrentSession();
  const rows = [
    ...limitRows(formatNumber, image_bytes),
    [texts.docs.retention, texts.docs.retentionDays(formatNumber(video_retention_days))] as const,
  ];
  return (
    <section class="card">
      <Pairs pairs={rows} />
    </section>
  );
};

/** Shows text between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));

const Errors = () => (
  <CardTable columns={[texts.errors.code, texts.docs.http, texts.docs.meaning]}>
    {ERROR_ROWS.map(({ codes, http, meaning }) => (
      <tr key={meaning}>
        <th scope="row">
          <span class="error-codes">
            {codes.map((code) => (
              <code key={code}>{code}</code>
            ))}
          </span>
        </th>
        <td class="number" data-label={texts.docs.http}>
          {http}
        </td>
        <td data-label={texts.docs.meaning}>
          <span>{withCode(meaning)}</span>
        </td>
      </tr>
    ))}
  </CardTable>
);

const PARTS = {
  quickstart: <Quickstart />,
  reference: <Reference />,
  limits: <Limits />,
  errors: <Errors />,
} as const;
const NAMES = ['quickstart', 'reference', 'limits', 'errors'] as const satisfies (keyof typeof PARTS)[];

export const Docs = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return (
    <>
      <PageTitle title={texts.docs.title} description={texts.docs.description} />
      <Tabs
        label={texts.docs.title}
        chosen={NAMES.find((name) => name === search.get('part')) ?? 'quickstart'}
        onChoose={(name) => navigate(`/docs?part=${name}`)}
        tabs={NAMES.map((name) => ({ name, label: texts.docs[name], content: PARTS[name] }))}
      />
    </>
  );
};
