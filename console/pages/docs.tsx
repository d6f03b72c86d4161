import { useLocation, useSearch } from 'wouter-preact';
import { Errors, Limits } from '../docs/limits.tsx';
import { Quickstart } from '../docs/quickstart.tsx';
import { Reference } from '../docs/reference.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

const PARTS = ['quickstart', 'reference', 'limits', 'errors'] as const;

const CONTENT = {
  quickstart: <Quickstart />,
  reference: <Reference />,
  limits: <Limits />,
  errors: <Errors />,
} as const;

export const Docs = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return (
    <>
      <PageTitle title={texts.docs.title} description={texts.docs.description} />
      <Tabs
        label={texts.docs.title}
        chosen={PARTS.find((part) => part === search.get('part')) ?? 'quickstart'}
        onChoose={(part) => navigate(`/docs?part=${part}`)}
        tabs={PARTS.map((name) => ({ name, label: texts.docs[name], content: CONTENT[name] }))}
      />
    </>
  );
};
