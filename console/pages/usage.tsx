import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const Usage = () => <PageTitle title={texts.usage.title} />;
