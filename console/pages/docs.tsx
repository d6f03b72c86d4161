import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const Docs = () => <PageTitle title={texts.docs.title} />;
