import { useLocation, useSearch } from 'wouter-preact';
import { Tabs } from '../parts/tabs.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts/texts.ts';
import { Errors, Limits } from './limits.tsx';
import { Quickstart } from './quickstart.tsx';
import { Reference } from './reference.tsx';

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
