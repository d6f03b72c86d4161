import { PageTitle } from '../shell/page-title.tsx';
import { texts } from '../texts.ts';

export const Keys = () => <PageTitle title={texts.keys.title} />;
